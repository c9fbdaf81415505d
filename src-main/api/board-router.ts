import { BoardView } from '../../src-shared/api/board.ts';
import { boardView } from './board-views.ts';
import { procedure, router } from './trpc.ts';

export const boardRouter = router({
  /** Everything that the board shows, in one answer. */
  show: procedure.output(BoardView).query(({ ctx }) => boardView(ctx)),
});
