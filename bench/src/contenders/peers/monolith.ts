/** One process: Express and MongoDB, nothing between. */
import express, { type ErrorRequestHandler } from 'express';
import { openDatabase } from '../same-work/database.ts';
import { operationsOn } from '../same-work/operations.ts';
import { Refusal } from '../same-work/refusal.ts';
import { createSessions, findPrincipal } from '../same-work/sessions.ts';

const { MONGODB_URL, MONGODB_DATABASE, PORT } = process.env;
const database = await openDatabase(MONGODB_URL!, MONGODB_DATABASE!);
const runOperation = operationsOn(database);
const sessionOf = createSessions(process.env);

const refuse: ErrorRequestHandler = (error, _request, response, _next) => {
  const refusal = error instanceof Refusal ? error : new Refusal(500, 'internal_error', String(error));
  response.status(refusal.status).json(refusal.body);
};

const server = express()
  .disable('x-powered-by')
  .disable('etag')
  .get('/readyz', (_request, response) => {
    response.json({ ready: true });
  })
  .post('/api/v1/operations/:operation', express.json({ limit: '2mb' }), async (request, response) => {
    const principal = await findPrincipal(database, await sessionOf(request.headers.authorization));
    const result = await runOperation(request.params.operation, principal, request.body);
    response.json({ result });
  })
  .use(refuse)
  .listen(Number(PORT), '127.0.0.1');

process.once('SIGTERM', () => {
  server.close().closeAllConnections();
  void database.close();
});
