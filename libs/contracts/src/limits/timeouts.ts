/**
 * How soon a part of the platform detects that another has failed: killed, frozen, or cut off. docs/operations.md has the measured
 * effect of each. All in milliseconds.
 *
 * The kernel closes the connections of a killed process at once. A process that hangs keeps them open, so its peers probe it: often
 * enough to detect it within a few seconds, and more than once, because a busy machine delays a healthy process, too.
 */
export const timeouts = {
  /**
   * The interval of pings between a client of the bus and the NATS server, and how many may be unanswered before either closes the
   * connection: after two to three seconds. An interval of 5 s took 10 to 15.
   */
  busPingInterval: 1_000,
  busPingsUnanswered: 2,
  /** How long a NATS server may take to accept a client, before the client tries the next server, or the same again. */
  busConnect: 2_000,
  /** The pause before the client of the bus retries an unreachable NATS server. */
  busReconnectWait: 250,
  /** How long a read waits for the next connection to a NATS server, after a break; then every call is refused at once. */
  busPatience: 2_000,
  /** The interval at which a caller probes the replicas whose answers are this late. */
  busProbeInterval: 100,
  busAnnounceInterval: 2_000,

  /**
   * The interval of the driver's heartbeats to each MongoDB server. Without an answer in this time and `databaseConnect`, the driver
   * closes the server's connections, with every command under way on them. With the default (10 s) a frozen primary costs its
   * commands their whole time limit.
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
