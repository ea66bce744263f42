import { endOfExperiment } from '@atrium/contract'
import { newRoomId } from '../../kernel/ids.ts'
import { createTurns } from '../../kernel/turns.ts'
import type { PodEntry } from '../../ports/pod-directory.ts'
import type { WaitingPerson } from '../../ports/waiting-queue.ts'
import {
  type Ending,
  type MatchingSettings,
  matchingSettingsOf,
  type ProposedGroup,
  propose,
} from '../matching/index.ts'
import { selectPod } from '../ownership/index.ts'
import { stageOfQueue } from './queue-of-stage.ts'
import { endingsAtOncePerRound, positionKeptMs, reservationMs, type WaitingDeps } from './waiting-deps.ts'

/** R20: the outcome of a session whose wait ended without a room. */
export const outcomeOfEnding: Record<Ending['reason'], string> = {
  deadline: 'NOT_MATCHED',
  closed: 'NOT_MATCHED',
  screened_out: 'SCREENED_OUT',
}

/**
 * What the leader does for one queue: removes ghosts, applies deadlines, claims groups. It may be interrupted
 * anywhere, and two instances may believe they lead: each step is correct by itself.
 */
export async function matchRound(deps: WaitingDeps, queueId: string): Promise<void> {
  const { queue, experiments, clock } = deps
  const now = clock.now()
  const { people, absent } = await queue.view(queueId, now)
  if (absent.length > 0) {
    const { absent: gone } = await queue.view(queueId, now - positionKeptMs)
    // R56: participants who have lost their position in the queue also lose their place in the experiment until they return.
    if (gone.length > 0) await deps.sessions.leaveWaiting(await queue.leave(queueId, gone))
  }
  if (people.length === 0) return
  const { experimentId, stage } = stageOfQueue(queueId)
  const { status } = await experiments.find(experimentId)
  // Whoever has begun goes on, so that others may still come to a later stage of a study that is closed.
  const isClosing = status === 'archived' || (status === 'closed' && stage === null)
  for (const [revision, some] of byRevision(people))
    await matchRevision(deps, { queueId, experimentId, stage, revision, people: some, isClosing }).catch(
      (error: unknown) =>
        // Participants of other revisions must not wait for these.
        deps.warn({ err: error, experimentId, revision }, 'a round of matching failed; it is tried again'),
    )
}

interface Round {
  queueId: string
  experimentId: string
  stage: string | null
  revision: number
  people: WaitingPerson[]
  isClosing: boolean
}

async function matchRevision(deps: WaitingDeps, round: Round): Promise<void> {
  const { queueId, experimentId, stage, revision, people, isClosing } = round
  const settings = matchingSettingsOf(await deps.experiments.stage(experimentId, revision, stage))
  const ids = people.map(({ participantId }) => participantId)
  const formerPartners = settings.exclusions.includes('never_again')
    ? await deps.roomStore.formerPartners(experimentId, ids)
    : []
  const now = deps.clock.now()
  const { groups, endings } = propose({ people, settings, formerPartners, now, isClosing })
  const inTurn = createTurns(endingsAtOncePerRound)
  await Promise.all(
    endings.map((ending) =>
      inTurn(() => endWaiting(deps, queueId, ending, settings)).catch((error: unknown) =>
        // The next round ends the wait of everyone who is still in the queue.
        deps.warn({ err: error, experimentId }, 'a wait could not be ended; it is tried again'),
      ),
    ),
  )
  if (groups.length > 0) await claimAll(deps, queueId, groups)
}

/** A participant is either matched or gives up, never both: first the queue decides, then the database. */
async function endWaiting(
  { queue, sessions }: WaitingDeps,
  queueId: string,
  { participantId, reason }: Ending,
  { elsewhere }: MatchingSettings,
): Promise<void> {
  const left = await queue.leave(queueId, [participantId])
  if (left.length === 0) return
  // Whoever fits no group of a later stage has taken part so far: they go where those go who find none in time.
  const hasBegun = stageOfQueue(queueId).stage !== null
  const way = reason === 'deadline' || (hasBegun && reason === 'screened_out') ? elsewhere : null
  if (way && way.to !== endOfExperiment) await sessions.toStage(participantId, way.to)
  else await sessions.endWaiting(participantId, way?.outcome ?? outcomeOfEnding[reason], reason)
}

async function claimAll(deps: WaitingDeps, queueId: string, groups: ProposedGroup[]): Promise<void> {
  let pods = await deps.pods.list()
  for (const group of groups) {
    let claim = await claimOn(deps, queueId, group, pods)
    if (claim === 'pod_unfit') {
      // The instance died or filled up since it was listed.
      pods = await deps.pods.list()
      claim = await claimOn(deps, queueId, group, pods)
    }
    // Another matcher was faster, or no instance has capacity: the next round sees what is left.
    if (claim !== 'claimed') return
  }
}

async function claimOn(
  { queue, bus, clock, heartbeatMs }: WaitingDeps,
  queueId: string,
  { members, agents, match }: ProposedGroup,
  pods: PodEntry[],
) {
  const now = clock.now()
  const podId = selectPod(pods, members.length, now, heartbeatMs)
  const pod = pods.find((one) => one.podId === podId)
  if (!pod) return 'no_pod'
  const claim = await queue.claim(
    { roomId: newRoomId(), experimentId: queueId, podId: pod.podId, members, agents, match },
    now,
    now + reservationMs,
  )
  if (claim.kind === 'claimed') {
    pod.rooms++
    pod.participants += members.length
    await bus.publish('room_reserved', { podId: pod.podId }).catch(() => undefined)
  }
  return claim.kind
}

function byRevision(people: readonly WaitingPerson[]): Map<number, WaitingPerson[]> {
  return Map.groupBy(people, ({ revision }) => revision)
}
