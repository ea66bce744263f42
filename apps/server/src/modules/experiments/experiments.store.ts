import type {
  DropReason,
  ExperimentMonitor,
  ExperimentStatus,
  Person,
  Recruit,
  RevisionHead,
  SessionStatus,
  WrittenDefinition,
} from '@atrium/contract'
import type { NamedFiles } from '@atrium/contract/components'
import type { TalliedEvent, Tally } from './tallies.plan.ts'

export interface ExperimentRecord {
  experimentId: string
  name: string
  status: ExperimentStatus
  revision: number
  /** Maximum number of participants; null = unlimited. */
  capacity: number | null
  participantCount: number
  /** Whether a revision was published by choice: if not, there is only what the draft was begun with. */
  isPublished: boolean
}

export interface NewDefinition {
  experimentId: string
  definition: WrittenDefinition
  /** The pictures and sounds that it names, also in the tables that it names: they were read when it was checked. */
  media: NamedFiles
  actor: string
  now: number
  /** The experiment whose names of pictures and sounds count: of a try, the one that is tried; itself when absent. */
  triedFrom?: string
}

export interface NewExperiment extends NewDefinition {
  /** JSON: it begins with this draft, and with nothing published. */
  draft?: string | undefined
}

export interface NewRevision extends NewDefinition {
  /** Only if this is the newest revision; whatever that is when absent. */
  basedOn?: number | undefined
}

/** `video_gone`, `media_gone`, `credential_gone`, `table_gone`: one that the definition names was deleted in the meantime. */
export type Gone = 'video_gone' | 'media_gone' | 'credential_gone' | 'table_gone'
export type Created = 'created' | 'taken' | Gone

export type Revised =
  | { kind: 'revised'; record: ExperimentRecord }
  /** The newest revision is another than the one that was edited. */
  | { kind: 'conflict'; revision: number }
  | { kind: 'not_found' }
  | { kind: 'archived' }
  | { kind: Gone }

export interface PublishedDraft extends Omit<NewDefinition, 'definition'> {
  version: number
  /** What this version of the draft is; null if there is no such version any more. */
  definition: WrittenDefinition | null
  basedOn: number
  /** Whether people can join from now on. */
  start: boolean
}

export type Published =
  | Revised
  /** The draft is another by now, or there is none. */
  | { kind: 'draft_conflict' }
  /** This very request has published it before. */
  | { kind: 'repeated'; record: ExperimentRecord }

export type StatusChanged =
  | { kind: 'changed'; record: ExperimentRecord }
  | { kind: 'not_found' }
  | { kind: 'refused'; from: ExperimentStatus }
  | { kind: 'not_published' }
  /** The newest revision is another than the one that was named. */
  | { kind: 'conflict'; revision: number }
  /** It cannot recruit: its newest revision names credentials that have been deleted. */
  | { kind: 'credentials_missing'; agents: { credentialId: string; path: string }[] }

export type Removed =
  | { kind: 'removed' }
  | { kind: 'not_found' }
  /** People may have taken part in it. */
  | { kind: 'refused'; status: ExperimentStatus }
  /** Agents are playing in it. */
  | { kind: 'in_use' }

/** Divided into buckets of equal length: `from` is the start of the first, `to` the end of the last. */
export interface ActivityWindow {
  from: number
  to: number
  bucketMs: number
}

export interface BucketCount {
  /** The first bucket of the window is 0. */
  bucket: number
  count: number
}

/** Empty buckets are left out; a bucket that occurs several times counts as the sum. */
export type ActivityCounts = Record<'joined' | 'completed' | 'events', BucketCount[]>

/** A position in the list of an experiment's participants. */
interface RecruitPlace {
  joinedAt: number
  participantId: string
}

export interface RecruitListing {
  experimentId: string
  after: RecruitPlace | null
  limit: number
}

/** How far people have come, whatever became of them afterwards. */
export interface Funnel {
  /** Those who gave their consent or were not asked for it. */
  consented: number
  /** Those who have had a room. */
  placed: number
}

export interface StateVisit {
  stateId: string
  ms: number
}

export interface DayCount {
  /** Midnight, UTC. */
  at: number
  joined: number
  completed: number
}

export interface PlotFigures {
  /** Oldest first; days on which nothing happened are left out. */
  days: DayCount[]
  outcomes: { outcome: string | null; people: number }[]
  tallies: Tally[]
  /** From joining to a room, of the newest people who have one. */
  waitsMs: { newest: number[]; isAll: boolean }
  /** Whether there are events that nobody has counted yet. */
  isCounting: boolean
}

/** `null` is no filter. */
export interface PeopleListing extends RecruitListing {
  status: SessionStatus | null
  outcome: string | null
  condition: string | null
  revision: number | null
}

export interface PersonEvent extends TalliedEvent {
  at: number
  round: number | null
}

export interface PersonRecord {
  person: Person
  /** When their rooms were made, in order, and since when they had waited for each. */
  rooms: { at: number; since: number }[]
  eventCount: number
  /** In order. */
  events: PersonEvent[]
}

/** People of whom everything that matters here is the same. */
export interface FlowGroup {
  condition: string | null
  /** Null while it is undecided. */
  outcome: string | null
  dropReason: DropReason | null
  hasRoom: boolean
  /** `asked`: they have not given it, or not any more. */
  consent: 'given' | 'asked' | 'none'
  /** Of their newest session; null unless the outcome is undecided. */
  status: string | null
  people: number
}

export interface DeletedPeople {
  condition: string | null
  people: number
}

export interface ExperimentStore {
  /** Stores revision 1 as a draft. */
  create(created: NewExperiment): Promise<Created>
  revise(revised: NewRevision): Promise<Revised>
  /** Makes the draft a revision, ends it, and starts recruiting if wanted: everything or nothing. */
  publish(published: PublishedDraft): Promise<Published>
  changeStatus(change: {
    experimentId: string
    to: ExperimentStatus
    actor: string
    now: number
    /** Only if this is the newest revision. */
    revision?: number | undefined
  }): Promise<StatusChanged>
  /** X56: with everything that belongs to it. */
  remove(removal: { experimentId: string; actor: string; now: number }): Promise<Removed>
  list(filter: { status?: ExperimentStatus }): Promise<ExperimentRecord[]>
  find(experimentId: string): Promise<ExperimentRecord | undefined>
  definition(experimentId: string, revision: number): Promise<WrittenDefinition | undefined>
  /** Newest first; only those before a revision if one is given. */
  revisions(listing: { experimentId: string; before: number | null; limit: number }): Promise<RevisionHead[]>
  /** In order of joining. */
  recruits(listing: RecruitListing): Promise<Recruit[]>
  monitor(experimentId: string, now: number): Promise<Omit<ExperimentMonitor, 'availableSlots'> | undefined>
  funnel(experimentId: string): Promise<Funnel>
  /** Visits to states that have ended, of the newest people who have a room. */
  visits(experimentId: string): Promise<StateVisit[]>
  activity(experimentId: string, window: ActivityWindow): Promise<ActivityCounts>
  plots(experimentId: string): Promise<PlotFigures>
  flow(experimentId: string): Promise<{ groups: FlowGroup[]; deleted: DeletedPeople[] }>
  /** In order of joining. */
  people(listing: PeopleListing): Promise<Person[]>
  /** With the first of the events that a time line shows. */
  person(experimentId: string, participantId: string, maxEvents: number): Promise<PersonRecord | undefined>
}
