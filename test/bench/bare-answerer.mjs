// What the hub's start is measured against: loads better-sqlite3, opens the same database, answers on a socket.
import { createServer } from 'node:http';
import Database from 'better-sqlite3';

const [databaseFile, socket] = process.argv.slice(2);
const database = new Database(databaseFile);
database.pragma('journal_mode = WAL');
const tables = database.prepare('SELECT count(*) AS count FROM sqlite_master');
createServer((_request, response) => response.end(JSON.stringify(tables.get()))).listen(socket);
