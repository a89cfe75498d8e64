/*
 * Loaded into every process of a platform under test (`--import`): notes which commands its services send to MongoDB,
 * and whether each has a time limit (`maxTimeMS`). Each command is a line `<service's database> <command> <limited|unlimited>` in the file
 * `commands` of the folder NODE_COMMANDS_FOLDER, written once.
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';

const file = join(process.env.NODE_COMMANDS_FOLDER!, 'commands');
const noted = new Set<string>();
const { connect } = MongoClient.prototype;

MongoClient.prototype.connect = function (this: MongoClient): Promise<MongoClient> {
  // The setter of `monitorCommands` is internal.
  (this as { monitorCommands?: boolean }).monitorCommands = true;
  this.on('commandStarted', ({ commandName, databaseName, command }) => {
    const line = `${databaseName} ${commandName} ${command.maxTimeMS > 0 ? 'limited' : 'unlimited'}\n`;
    if (noted.has(line)) return;
    noted.add(line);
    appendFileSync(file, line);
  });
  return connect.call(this);
};
