import {
  type ExperimentActivity,
  type ExperimentDefinition,
  type ExperimentFlow,
  type ExperimentMonitor,
  type ExperimentPlots,
  type PersonPage,
  type PersonTimeline,
  type RecruitPage,
  type RevisionHead,
  type RevisionPage,
  unlimitedSlots,
  type WrittenDefinition,
} from '@atrium/contract'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import { activityWindow, fillBuckets } from './activity.ts'
import type { ExperimentRecord, ExperimentStore, Funnel } from './experiments.store.ts'
import { flowOf } from './flow.ts'
import { listPeople, type PeopleQuery, readTimeline } from './people.ts'
import { readPlots } from './plots.ts'
import { listRecruits, type RecruitQuery } from './recruits.ts'
import { findRevision, listRevisions, type RevisionQuery } from './revisions.ts'
import { type UsualTime, usualTimesOf } from './usual-times.ts'

interface ExperimentReportDeps {
  store: ExperimentStore
  clock: Clock
  /** Throws if there is no such experiment. */
  find(experimentId: string): Promise<ExperimentRecord>
  definition(experimentId: string, revision: number): Promise<ExperimentDefinition>
  written(experimentId: string, revision: number): Promise<WrittenDefinition>
}

/** What researchers read about an experiment and the people in it. */
export interface ExperimentReports {
  revisions(experimentId: string, query: RevisionQuery): Promise<RevisionPage>
  readRevision(
    experimentId: string,
    revision: number,
  ): Promise<RevisionHead & { definition: WrittenDefinition }>
  recruits(experimentId: string, query: RecruitQuery): Promise<RecruitPage>
  monitor(experimentId: string): Promise<ExperimentMonitor>
  funnel(experimentId: string): Promise<Funnel>
  /** How long people usually stay in each state. */
  usualTimes(experimentId: string): Promise<UsualTime[]>
  activity(experimentId: string, lastMinutes: number): Promise<ExperimentActivity>
  plots(experimentId: string): Promise<ExperimentPlots>
  flow(experimentId: string): Promise<ExperimentFlow>
  people(experimentId: string, query: PeopleQuery): Promise<PersonPage>
  timeline(experimentId: string, participantId: string): Promise<PersonTimeline>
}

export function createExperimentReports({
  store,
  clock,
  find,
  definition,
  written,
}: ExperimentReportDeps): ExperimentReports {
  return {
    revisions: async (experimentId, query) => await listRevisions(store, await find(experimentId), query),
    async readRevision(experimentId, revision) {
      const record = await find(experimentId)
      const head = await findRevision(store, record, revision)
      return { ...head, definition: await written(experimentId, revision) }
    },
    recruits: async (experimentId, query) => await listRecruits(store, await find(experimentId), query),
    async monitor(experimentId) {
      const record = await find(experimentId)
      const counts = await store.monitor(experimentId, clock.now())
      if (!counts) throw new AppError('EXPERIMENT_NOT_FOUND', { experimentId })
      return { ...counts, availableSlots: slotsOf(record) }
    },
    funnel: (experimentId) => store.funnel(experimentId),
    usualTimes: async (experimentId) => usualTimesOf(await store.visits(experimentId)),
    async activity(experimentId, lastMinutes) {
      await find(experimentId)
      const window = activityWindow(lastMinutes, clock.now())
      return fillBuckets(window, await store.activity(experimentId, window))
    },
    async plots(experimentId) {
      await find(experimentId)
      return await readPlots(store, experimentId, clock.now())
    },
    async flow(experimentId) {
      const { revision } = await find(experimentId)
      const { groups, deleted } = await store.flow(experimentId)
      const hasMatching =
        groups.length > 0 && (await definition(experimentId, revision)).matching !== undefined
      return flowOf(groups, deleted, hasMatching)
    },
    async people(experimentId, query) {
      await find(experimentId)
      return await listPeople(store, experimentId, query)
    },
    async timeline(experimentId, participantId) {
      await find(experimentId)
      return await readTimeline(store, experimentId, participantId)
    },
  }
}

export const slotsOf = ({ capacity, participantCount }: ExperimentRecord): number =>
  capacity === null ? unlimitedSlots : Math.max(0, capacity - participantCount)
