import { newRoomId } from '../../kernel/ids.ts'
import { createTurns } from '../../kernel/turns.ts'
import type { PodEntry } from '../../ports/pod-directory.ts'
import type { WaitingPerson } from '../../ports/waiting-queue.ts'
import { type Ending, matchingSettingsOf, type ProposedGroup, propose } from '../matching/index.ts'
import { selectPod } from '../ownership/index.ts'
import { endingsAtOncePerRound, placeKeptMs, reservationMs, type WaitingParts } from './waiting-parts.ts'

/** R20: what a session whose wait ended without a room is completed with. */
export const outcomeOfEnding: Record<Ending['reason'], string> = {
  deadline: 'NOT_MATCHED',
  closed: 'NOT_MATCHED',
  screened_out: 'SCREENED_OUT',
}

/**
 * What the leader does for one experiment: ghosts out, deadlines kept, groups claimed. It may be interrupted anywhere,
 * and two may believe they lead: each step is right by itself.
 */
export async function matchRound(parts: WaitingParts, experimentId: string): Promise<void> {
  const { queue, experiments, clock } = parts
  const now = clock.now()
  const { people, absent } = await queue.view(experimentId, now)
  if (absent.length > 0) {
    const { absent: gone } = await queue.view(experimentId, now - placeKeptMs)
    // R56: who has lost their place in the queue has none in the experiment either, until they are back.
    if (gone.length > 0) await parts.sessions.leaveWaiting(await queue.leave(experimentId, gone))
  }
  if (people.length === 0) return
  const { status } = await experiments.find(experimentId)
  const isClosing = status === 'closed' || status === 'archived'
  for (const [revision, some] of byRevision(people))
    await matchRevision(parts, { experimentId, revision, people: some, isClosing }).catch((error: unknown) =>
      // Those of another revision do not wait for these.
      parts.warn({ err: error, experimentId, revision }, 'a round of matching failed; it is tried again'),
    )
}

interface Round {
  experimentId: string
  revision: number
  people: WaitingPerson[]
  isClosing: boolean
}

async function matchRevision(parts: WaitingParts, round: Round): Promise<void> {
  const { experimentId, revision, people, isClosing } = round
  const settings = matchingSettingsOf(await parts.experiments.definition(experimentId, revision))
  const ids = people.map(({ participantId }) => participantId)
  const formerPartners = settings.exclusions.includes('never_again')
    ? await parts.roomStore.formerPartners(experimentId, ids)
    : []
  const now = parts.clock.now()
  const { groups, endings } = propose({ people, settings, formerPartners, now, isClosing })
  const inTurn = createTurns(endingsAtOncePerRound)
  await Promise.all(
    endings.map((ending) =>
      inTurn(() => endWaiting(parts, experimentId, ending)).catch((error: unknown) =>
        // Whoever is still there when the next round comes has their end then.
        parts.warn({ err: error, experimentId }, 'a wait could not be ended; it is tried again'),
      ),
    ),
  )
  if (groups.length > 0) await claimAll(parts, experimentId, groups)
}

/** Of being matched and giving up exactly one happens: first the queue decides, then the database. */
async function endWaiting(
  { queue, sessions }: WaitingParts,
  experimentId: string,
  ending: Ending,
): Promise<void> {
  const left = await queue.leave(experimentId, [ending.participantId])
  const { participantId, reason } = ending
  if (left.length > 0) await sessions.endWaiting(participantId, outcomeOfEnding[reason], reason)
}

async function claimAll(parts: WaitingParts, experimentId: string, groups: ProposedGroup[]): Promise<void> {
  let pods = await parts.pods.list()
  for (const group of groups) {
    let claim = await claimOn(parts, experimentId, group, pods)
    if (claim === 'pod_unfit') {
      // It died or filled up since it was listed.
      pods = await parts.pods.list()
      claim = await claimOn(parts, experimentId, group, pods)
    }
    // Another matcher was faster, or no pod has room: the next round sees what is left.
    if (claim !== 'claimed') return
  }
}

async function claimOn(
  { queue, bus, clock, heartbeatMs }: WaitingParts,
  experimentId: string,
  { members, agents }: ProposedGroup,
  pods: PodEntry[],
) {
  const now = clock.now()
  const podId = selectPod(pods, members.length, now, heartbeatMs)
  const pod = pods.find((one) => one.podId === podId)
  if (!pod) return 'no_pod'
  const claim = await queue.claim(
    { roomId: newRoomId(), experimentId, podId: pod.podId, members, agents },
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
