/**
 * How soon a part of the platform notices that another is gone without a word: killed, frozen, or cut off. docs/operations.md
 * tells what each was measured to do. All in milliseconds.
 *
 * Of a process that was killed the kernel tells the other end of its connections at once. One that hangs says nothing, so
 * whoever must know asks: often enough that it is noticed within a few seconds, and more than once, because a busy machine keeps a healthy
 * process waiting, too.
 */
export const timeouts = {
  /**
   * A client of the bus and the NATS server each ask the other so often whether it is there. Either gives the other up
   * when so many times in a row were not answered by the next: after two to three seconds. With 5 s it was 10 to 15.
   */
  busPingInterval: 1_000,
  busPingsUnanswered: 2,
  /** How long a NATS server may take to let a client in: then the next is tried, or the same again. */
  busConnect: 2_000,
  /** How long the client of the bus leaves a NATS server alone that could not be reached. */
  busReconnectWait: 250,
  /** How often a caller looks whether the replicas are still there that owe it an answer for as long. */
  busLook: 100,
  /** How often a replica says that it is there. */
  busPresence: 2_000,

  /**
   * How often the driver asks each MongoDB server how it is. One that does not say in this time and `databaseConnect` is
   * given up, and so is every command under way on it. Without it (10 s by default) a frozen primary costs its commands the time limit
   * of their own.
   */
  databaseHeartbeat: 1_000,
  /** How long a MongoDB server may take to accept a connection, and to answer when it is asked how it is. */
  databaseConnect: 2_000,
  /** How long an operation waits for a primary, as while one is elected. Longer than an election takes. */
  databaseSelection: 5_000,
  /** How long the members of a replica set wait for word of their primary before they elect another (`electionTimeoutMillis`). 10 s by default. */
  databaseElection: 2_000,
  /** How often they ask each other (`heartbeatIntervalMillis`), and how long each may take to answer (`heartbeatTimeoutSecs`). 2 s and 10 s by default. */
  databaseMemberHeartbeat: 500,
  databaseMemberAnswer: 2_000,
} as const;
