/**
 * How soon a part of the platform detects that another has failed: killed, frozen, or cut off. docs/operations.md has the measured
 * effect of each. All in milliseconds.
 *
 * The kernel closes the connections of a killed process at once. A process that hangs keeps them open, so its peers probe it: often
 * enough to detect it within a few seconds, and more than once, because a busy machine delays a healthy process, too.
 */
export const timeouts = {
  /**
   * A client of the bus and the NATS server each ask the other so often whether it is there. Either gives the other up
   * when so many times in a row were not answered by the next: after two to three seconds. With 5 s it was 10 to 15.
   */
  busPingInterval: 1_000,
  busPingsUnanswered: 2,
  /** How long a NATS server may take to accept a client, before the client tries the next server, or the same again. */
  busConnect: 2_000,
  /** The pause before the client of the bus retries an unreachable NATS server. */
  busReconnectWait: 250,
  /** The interval at which a caller probes the replicas whose answers are late by as long. */
  busLook: 100,
  /** The interval of a replica's announcements. */
  busPresence: 2_000,

  /**
   * How often the driver asks each MongoDB server how it is. One that does not say in this time and `databaseConnect` is
   * given up, and so is every command under way on it. Without it (10 s by default) a frozen primary costs its commands the time limit
   * of their own.
   */
  databaseHeartbeat: 1_000,
  /** How long a MongoDB server may take to accept a connection, and to answer a heartbeat. */
  databaseConnect: 2_000,
  /** How long an operation waits for a primary: longer than an election takes. */
  databaseSelection: 5_000,
  /** How long the members of a replica set wait for a heartbeat of their primary before they elect another (`electionTimeoutMillis`). 10 s by default. */
  databaseElection: 2_000,
  /** The interval of their heartbeats (`heartbeatIntervalMillis`), and how long each may take to answer (`heartbeatTimeoutSecs`). 2 s and 10 s by default. */
  databaseMemberHeartbeat: 500,
  databaseMemberAnswer: 2_000,
} as const;
