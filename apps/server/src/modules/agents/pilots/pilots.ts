import {
  type ExperimentDefinition,
  findUnstorable,
  limits,
  type PilotBody,
  type PilotPage,
  type PilotSummary,
  studyOf,
  type ValidationIssue,
} from '@atrium/contract'
import { AppError, issuesIn, validationFailed } from '../../../kernel/app-error.ts'
import { newPilotId, newRoomId } from '../../../kernel/ids.ts'
import { listCursor } from '../../../kernel/list-cursor.ts'
import type { HeavyWork } from '../../../ports/heavy-work.ts'
import type { Experiments } from '../../experiments/index.ts'
import { actorOf, type Identity } from '../../identity/index.ts'
import type { Credentials } from '../credentials/credentials.ts'
import type { PilotStore, StoredPilot } from '../pilots.store.ts'
import { createPilotOpener, type PilotOpenerDeps } from './open-pilots.ts'
import { pilotIssues, planPilot, shareBudget } from './plan-pilot.ts'

export interface PilotDeps extends PilotOpenerDeps {
  store: PilotStore
  experiments: Experiments
  heavyWork: Pick<HeavyWork, 'checkDefinition'>
  credentials: Pick<Credentials, 'refuseHidden'>
  podId: string
}

const tooMany = `At most ${limits.pilotRoomsOpen} rooms of pilots of one experiment, and ${limits.pilotRoomsOpenPerResearcher} of all experiments of one researcher, can be open at a time. Wait until some have ended.`

export interface Pilots {
  create(
    experimentId: string,
    body: PilotBody,
    identity: Identity,
  ): Promise<{ pilotId: string; roomIds: string[] }>
  list(experimentId: string, limit: number, before: string | null): Promise<PilotPage>
  start(): void
  stop(): Promise<void>
}

/** R43: studies that agents play alone, before people do. */
export function createPilots(deps: PilotDeps): Pilots {
  const { store, experiments, heavyWork, credentials, clock, podId } = deps
  const opener = createPilotOpener(deps)

  /**
   * Personas are checked as agents of the study. Nobody's words are sent anywhere, so no consent is needed, and pilots do
   * not count towards the budget of the study. What the revision itself was saved with, before a check of today refused it
   * (R61), does not keep it from being played.
   */
  async function check(
    { agentBudget: _, ...definition }: ExperimentDefinition,
    experimentId: string,
    identity: Identity,
  ): Promise<void> {
    const filled = await experiments.filled(definition)
    const piloted = { ...filled, consent: { ...filled.consent, sendsTextToModels: true } }
    const actor = actorOf(identity)
    const { definition: checked } = await heavyWork
      .checkDefinition(piloted, actor)
      .catch(async (refusal: unknown) => {
        const { agents: _, ...asSaved } = piloted
        const known = await heavyWork.checkDefinition(asSaved, actor).then(() => [], issuesIn)
        const added = issuesIn(refusal).filter((issue) => !known.some((other) => isSame(issue, other)))
        if (added.length > 0) throw validationFailed(added)
        return { definition: piloted }
      })
    await credentials.refuseHidden(studyOf(checked), identity, experimentId)
  }

  return {
    async create(experimentId, body, identity) {
      const { status, revision, isPublished, definition } = await experiments.read(experimentId)
      const played = studyOf(definition)
      if (status === 'archived')
        throw new AppError('STATUS_CONFLICT', { status }, 'An archived experiment cannot be played.')
      if (!isPublished) throw new AppError('NOT_PUBLISHED')
      if (definition.stages)
        throw new AppError(
          'ACTION_REFUSED',
          {},
          'A pilot is one room; agents cannot play several stages alone yet.',
        )
      const unstorable = findUnstorable(body, limits.jsonDepth)
      if (unstorable) throw validationFailed([unstorable])
      const plan = planPilot(played, body)
      const issues = pilotIssues(plan, body)
      if (issues.length > 0) throw validationFailed(issues)
      await check({ ...played, agents: plan.personas }, experimentId, identity)
      const pilot = { pilotId: newPilotId(), roomIds: Array.from({ length: body.rooms }, newRoomId) }
      const budget = body.budget ?? null
      const now = clock.now()
      const stored = { ...shareBudget(plan, body), ...pilot, experimentId, revision, budget, podId, now }
      if ((await store.create(stored)) === 'too_many') throw new AppError('ACTION_REFUSED', {}, tooMany)
      void opener.openMore()
      return pilot
    },

    async list(experimentId, limit, before) {
      await experiments.find(experimentId)
      const found = await store.list({
        experimentId,
        before: before === null ? null : readCursor(before),
        // One more than requested shows whether there is another page.
        limit: limit + 1,
      })
      const shown = found.slice(0, limit)
      const last = shown.at(-1)
      return { pilots: shown.map(summaryOf), next: last && found.length > limit ? writeCursor(last) : null }
    },

    start: opener.start,
    stop: opener.stop,
  }
}

function summaryOf({ rooms, ...pilot }: StoredPilot): PilotSummary {
  const shown = rooms.map(({ roomId, isHeld, closedAt, endReason }) => ({
    roomId,
    status: closedAt !== null ? ('ended' as const) : isHeld ? ('running' as const) : ('waiting' as const),
    endReason,
    endedAt: closedAt,
  }))
  const count = (wanted: string) => shown.filter(({ status }) => status === wanted).length
  const progress = { waiting: count('waiting'), running: count('running'), ended: count('ended') }
  return { ...pilot, progress, rooms: shown }
}

const { write: writeCursor, read: readCursor } = listCursor('createdAt', 'pilotId')

const isSame = (one: ValidationIssue, other: ValidationIssue): boolean =>
  one.path === other.path && one.message === other.message
