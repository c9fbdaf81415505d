import net from 'node:net';

/** Whether somebody listens at the path now. */
export const listensAt = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = net.connect(path);
    const settle = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
  });
