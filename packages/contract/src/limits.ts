/** The limits of the contract. Names carry their unit. */
export const limits = {
  rateWindowSeconds: 60,
  /** Requests per window (R10). */
  requestsPerWindow: { join: 5, events: 100, complete: 3, discover: 20, history: 10, media: 60, files: 30 },
  /** Requests per researcher and window. A console that shows everything makes about 100. */
  researcherRequestsPerWindow: { read: 1_200, write: 600, check: 300, export: 120 },
  failedAuthenticationsPerWindow: 60,
  /** Per address. A classroom of 300 shares one, and everyone may reload the page a few times. */
  requestsPerAddressPerWindow: { guest: 1_200 },
  /** Per address: guests who name the external id of somebody who has joined from another device. */
  guestClaimsPerAddressPerWindow: 60,
  sessionLifetimeMs: 24 * 60 * 60 * 1000,
  bodyBytes: 1_048_576,
  eventsPerBatch: 500,
  metadataBytes: 8_192,
  /** Deepest nesting of JSON, counted from the outermost level. No real response is deeper. */
  jsonDepth: 64,
  /** Per object. Larger ones are slow to process, and no real study needs them. */
  jsonProperties: 5_000,
  /**
   * R60. The cost of checks and rooms grows with these. They exceed the largest known studies, yet are small enough that
   * no definition can block the server.
   */
  definition: {
    stages: 20,
    states: 1_000,
    /** In all states together, including global ones. */
    components: 10_000,
    variables: 1_000,
    groupSize: 1_000,
    /** Each is decided for everybody who waits, and the search weighs them against each other. */
    partsOfGroup: 20,
    conditions: 1_000,
    /** Of factors: what a figure can show, and more than studies have people for. */
    cells: 64,
    agents: 50,
    /** Of one agent, in one room. */
    agentSeats: 100,
    /** R72: of a network, as listed in a definition; a role stands for everyone who has it. */
    listedEdges: 10_000,
    /** R72: of a network in a room, which is kept with it. A hundred times what experiments with networks have had. */
    edges: 20_000,
    completionCodes: 1_000,
    /** In all states together. */
    transitions: 10_000,
    assignments: 10_000,
    /** Parsing takes half a microsecond per character. */
    expressionCharacters: 150_000,
  },
  /** R66: tables of trials. The rows of a definition count towards its size too; uploaded ones have these limits only. */
  tables: {
    rows: 10_000,
    columns: 100,
    cellCharacters: 5_000,
    perDefinition: 50,
    /** Of the rows as JSON, which name each column in each row. They are kept in memory while a room plays them. */
    bytes: 8_388_608,
    perResearcher: 200,
    /** As uploaded: as much as a request may have. */
    textCharacters: 1_000_000,
    /** A Latin square has as many rows as values, or twice as many, each of which is counted. */
    latinRows: 500,
  },
  /** Of one pilot. */
  pilotRooms: 50,
  /** In all pilots of one experiment that have not ended. */
  pilotRoomsOpen: 200,
  /** In all pilots of the experiments of one researcher that have not ended. */
  pilotRoomsOpenPerResearcher: 200,
  /** In all rooms of one pilot, mediators included. */
  pilotAgents: 1_000,
  /** At a time: a console that is closed leaves its try for a day. */
  triesPerResearcher: 5,
  tryParticipants: 50,
  tryLifetimeMs: 24 * 60 * 60 * 1000,
  /** R37: more people than any laboratory has. */
  sharesPerExperiment: 200,
  credentialsPerResearcher: 200,
  /** R49. Each key has request limits of its own, so this also bounds what one researcher's scripts can ask for. */
  keysPerResearcher: 20,
  experimentsPerKey: 100,
  /** Each sends about fifty requests to a server that somebody else may run. */
  credentialTestsPerWindow: 6,
  /** A slow server takes a few seconds for each request of a test. */
  credentialTestMs: 300_000,
  /** A definition that a model drafts from a description in words. */
  studyDraft: {
    minCharacters: 10,
    maxCharacters: 8_000,
    /** A model that has not repaired its draft by then does not do so later. */
    repairs: 3,
    /** In all. A long definition takes a slow server a minute. */
    maxMs: 240_000,
    /** Of one reply. A study of ten states has about 3,000. */
    replyTokens: 8_192,
    perWindow: 6,
  },
  /** Defaults of the quotas, in bytes; operators can change them. An hour of the mouse at 60 Hz, with an event for each position, is 53 MiB. */
  quota: {
    /** Events, answers and messages of one participant. */
    participantBytes: 67_108_864,
    /** Their files. */
    participantFileBytes: 1_073_741_824,
    /** Both, of all participants of an experiment. */
    experimentBytes: 21_474_836_480,
  },
  /** Below this much free space on the disk of an embedded database, participants can only finish. */
  minFreeBytes: 536_870_912,
  /** A file in an answer. It passes through the server, which keeps it on its disk until the object store has it. */
  answerFileBytes: 26_214_400,
  /** How many files of participants arrive at an instance at the same time. */
  answerFilesArriving: 64,
  /** How many videos in one request, of up to 100 MiB, arrive at an instance at the same time. */
  videosArriving: 16,
  /** Uploaded, whether or not an answer names them: somebody may record the same answer again and again. */
  answerFilesPerParticipant: 100,
  /** Size of a part, and of the largest file that is uploaded in one request. */
  uploadPartBytes: 104_857_600,
  /** Object stores accept no more. */
  uploadParts: 10_000,
  /** Uploads in parts that are neither complete nor abandoned. Each is kept for a week, in memory and in the object store. */
  openUploadsPerResearcher: 200,
  presignedUrlSeconds: 3_600,
  /** 10 GiB, unless MAX_VIDEO_BYTES says otherwise. */
  videoBytes: 10_737_418_240,
  /** Pictures and sounds of researchers. */
  media: {
    /** Of one file, 25 MiB: a picture of 50 megapixels, or twenty minutes of sound. */
    fileBytes: 26_214_400,
    /** In one request, whether they come one by one or in a ZIP. The largest sets of pictures in use have about 1,200. */
    filesPerUpload: 2_000,
    /** What all files of one request may have once they are unpacked, 512 MiB. */
    uploadBytes: 536_870_912,
    filesPerResearcher: 20_000,
    /** 10 GiB, as one video may have. */
    bytesPerResearcher: 10_737_418_240,
    /** That one definition names. Participants are told the address of each. */
    perDefinition: 2_000,
  },
  podHeartbeatMs: 60_000,
  podKeyTtlSeconds: 180,
  waitingKeyTtlSeconds: 86_400,
  roomsPerPod: 20,
  participantsPerPod: 80,
  socketsPerInstance: 1_000,
  /** Larger messages close the connection. A response or a batch of ratings is far smaller. */
  socketMessageBytes: 131_072,
  /** Per participant. A rating sampled every 20 ms, the shortest interval, sends about 150,000. */
  socketBytesPerMinute: 4_194_304,
  /** Connections that have not presented a session yet. They are counted separately from those that have. */
  socketsWithoutSession: 1_000,
  /** As JSON. Enough for the longest possible text, 20,000 characters, in any script. */
  responseBytes: 98_304,
  /** What a model server may answer. A reply of the longest permitted length has about 200,000. */
  modelReplyBytes: 1_048_576,
} as const

export type LimitedEndpoint = keyof typeof limits.requestsPerWindow
/** Endpoints that are open to everyone, and therefore limited by client address. */
export type AddressLimitedEndpoint = keyof typeof limits.requestsPerAddressPerWindow
/** Kinds of work, each with its own limit: reading, changing, checking or simulating, and exporting. */
export type ResearcherWork = keyof typeof limits.researcherRequestsPerWindow

/**
 * `availableSlots` of an experiment without a capacity. The contract requires an integer; this is the largest one
 * that every client language reads without loss.
 */
export const unlimitedSlots = 2_147_483_647
