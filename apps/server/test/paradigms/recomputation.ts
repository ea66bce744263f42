import type { ExportedRow } from '@atrium/contract'

/**
 * What a recomputation may read: answers, draws, and who sat where, all from the export. Variables, scores and payments that
 * the platform stored are left out, so that no result can be checked against itself.
 */
export interface PlayedStudy {
  people: PlayedPerson[]
  responses: ExportedRow<'responses'>[]
  trials: ExportedRow<'trials'>[]
  states: ExportedRow<'states'>[]
  messages: ExportedRow<'messages'>[]
  draws: RecordedDraw[]
  edges: ExportedRow<'edges'>[]
}

export interface PlayedPerson {
  participantId: string
  roomId: string
  role: string | null
  alias: string | null
  condition: string | null
  outcome: string | null
  /** Of the table `payments`: the rounds that were drawn for payment; empty where none are. */
  pickedRounds: number[]
}

/** A value that was drawn, from `variables_changed` with the cause `draw`. */
export interface RecordedDraw {
  roomId: string
  /** Null for a variable of the room. */
  participantId: string | null
  variable: string
  value: unknown
  /** Null outside rounds, as for initial values. */
  round: number | null
}

/** What one person's part comes to, computed again. */
export interface Recomputed {
  participantId: string
  /** What their variables held at the end; at least those that are recorded as payoffs. */
  variables: Record<string, unknown>
  /** What they are due, in whole units of the currency; absent in a study without payment. */
  amount?: number
}

/** A file beside this one for each definition of `examples/paradigms/`, of the same name, exports one as `recomputation`. */
export interface Recomputation {
  /** How many bots play it: enough for three or four rooms. */
  participants: number
  /** Component → what bots pick from, where random answers would say nothing. */
  answers?: Readonly<Record<string, readonly unknown[]>>
  compute(study: PlayedStudy): Recomputed[]
}
