/** The contract's numbers, each once. Names carry their unit. */
export const limits = {
  rateWindowSeconds: 60,
  /** Requests per window (R10). */
  requestsPerWindow: { join: 5, events: 100, complete: 3, discover: 20, history: 10 },
  /** What one researcher may ask for per window; a console that looks at everything asks for about 100. */
  researcherRequestsPerWindow: { read: 1_200, write: 600, check: 300, export: 120 },
  failedAuthenticationsPerWindow: 60,
  /** Per address. A classroom of 300 comes from one, and everybody may load the page again a few times. */
  requestsPerAddressPerWindow: { guest: 1_200 },
  /** Per address: guests who name the external id of somebody who has joined from another device. */
  guestClaimsPerAddressPerWindow: 60,
  sessionLifetimeMs: 24 * 60 * 60 * 1000,
  bodyBytes: 1_048_576,
  eventsPerBatch: 500,
  metadataBytes: 8_192,
  /** JSON nested deeper than this, counted from the outermost level, is refused: it is never a response of a person. */
  jsonDepth: 64,
  /** Of one object. Wider ones take long to go through, and no study names so many things. */
  jsonProperties: 5_000,
  /**
   * R60. Checks and rooms cost work in proportion to these; beyond the largest studies there are, and small enough that
   * nothing a definition asks for stops the server.
   */
  definition: {
    states: 1_000,
    /** In all states and across them. */
    components: 10_000,
    variables: 1_000,
    groupSize: 1_000,
    conditions: 1_000,
    completionCodes: 1_000,
    /** In all states together. */
    transitions: 10_000,
    assignments: 10_000,
    /** Parsing them takes half a microsecond each. */
    expressionCharacters: 150_000,
  },
  /** R37: people that one experiment is shared with. More than any laboratory has. */
  sharesPerExperiment: 200,
  podHeartbeatMs: 60_000,
  podKeyTtlSeconds: 180,
  waitingKeyTtlSeconds: 86_400,
  roomsPerPod: 20,
  participantsPerPod: 80,
  socketsPerInstance: 1_000,
  /** Larger messages close the connection; a response or a batch of ratings is far smaller. */
  socketMessageBytes: 131_072,
  /** What a participant may send over sockets. A rating sampled every 20 ms, the shortest interval, is about 150,000. */
  socketBytesPerMinute: 4_194_304,
  /** Connections that have not presented a session yet. They take no place of those that have. */
  socketsWithoutSession: 1_000,
  /** As JSON. Holds the longest text that can be asked for, 20,000 characters, in any script. */
  responseBytes: 98_304,
} as const

export type LimitedEndpoint = keyof typeof limits.requestsPerWindow
/** What is open to everybody, and so counted by where it comes from. */
export type AddressLimitedEndpoint = keyof typeof limits.requestsPerAddressPerWindow
/** What a researcher's request costs: looking, changing, having something checked or simulated, reading all data. */
export type ResearcherWork = keyof typeof limits.researcherRequestsPerWindow

/**
 * `availableSlots` of an experiment without a capacity. The contract wants an integer; this is the largest
 * one that every client language reads without loss.
 */
export const unlimitedSlots = 2_147_483_647
