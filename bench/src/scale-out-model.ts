import { limits } from '@atrium/contract'
import { meanOf } from './measure.ts'
import type { Rates } from './scale-out-gauges.ts'

/** A cluster of one size: what it takes when nobody is there, and when everybody plays. */
export interface SizeFigures {
  pods: number
  idle: Rates
  /** In each round; together they are the window. */
  rounds: Rates[]
  /** Resident memory of each pod: before anybody came, and at the end. */
  idleRssBytes: number[]
  playingRssBytes: number[]
  acknowledged: number
  refused: number
  p50Ms: number
  p99Ms: number
}

export interface ScaleOutResult {
  participants: number
  windowSeconds: number
  sizes: SizeFigures[]
}

/** What a participant adds in a minute, and what the parts take when nobody is there. */
export interface Constants {
  perParticipantMinute: Record<'actions' | 'commits' | 'redisCommands' | PartSeconds, number>
  idle: {
    podCores: number
    routerCores: number
    commitsPerPod: number
    /** Commands per second: pods × perPod + pods² × perPair, for every pod reads the list of all. */
    redisCommands: { perPod: number; perPair: number }
  }
  secondsPerRedisCommand: number
  podBytes: number
}

type PartSeconds = 'podSeconds' | 'routerSeconds' | 'postgresSeconds'

export const sumOf = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
export const podCoresIn = ({ podCores }: Rates): number => sumOf(podCores)

/** Rounds are equally long, so the mean of their rates is the rate of the window. */
export const rateOf = ({ rounds }: SizeFigures, pick: (rates: Rates) => number): number =>
  meanOf(rounds.map(pick))

/** Above what the same cluster takes when nobody is there. */
export const addedRateOf = (size: SizeFigures, pick: (rates: Rates) => number): number =>
  rateOf(size, pick) - pick(size.idle)

/** From the largest cluster, the most careful choice: it is the one that takes most. */
export function constantsOf({ sizes, participants, windowSeconds }: ScaleOutResult): Constants {
  const largest = sizes.at(-1)
  if (!largest) throw new Error('no cluster was measured')
  const perMinute = (pick: (rates: Rates) => number) => (addedRateOf(largest, pick) * 60) / participants
  return {
    perParticipantMinute: {
      actions: (largest.acknowledged * 60) / windowSeconds / participants,
      commits: perMinute(({ commits }) => commits),
      redisCommands: perMinute(({ redisCommands }) => redisCommands),
      podSeconds: perMinute(podCoresIn),
      routerSeconds: perMinute(({ routerCores }) => routerCores),
      postgresSeconds: perMinute(({ postgresCores }) => postgresCores),
    },
    idle: {
      podCores: meanOf(sizes.flatMap(({ idle }) => idle.podCores)),
      routerCores: meanOf(sizes.map(({ idle }) => idle.routerCores)),
      commitsPerPod: meanOf(sizes.map(({ idle, pods }) => idle.commits / pods)),
      redisCommands: fitGrowth(sizes),
    },
    secondsPerRedisCommand:
      rateOf(largest, ({ redisCores }) => redisCores) / rateOf(largest, ({ redisCommands }) => redisCommands),
    podBytes: Math.max(...sizes.flatMap(({ playingRssBytes }) => playingRssBytes)),
  }
}

/** Least squares for commands ÷ pods = perPod + perPair × pods. */
function fitGrowth(sizes: readonly SizeFigures[]): { perPod: number; perPair: number } {
  const points = sizes.map(({ pods, idle }) => ({ pods, each: idle.redisCommands / pods }))
  const meanPods = meanOf(points.map(({ pods }) => pods))
  const meanEach = meanOf(points.map(({ each }) => each))
  const spread = sumOf(points.map(({ pods }) => (pods - meanPods) ** 2))
  const perPair =
    spread === 0 ? 0 : sumOf(points.map(({ pods, each }) => (pods - meanPods) * (each - meanEach))) / spread
  return { perPod: meanEach - perPair * meanPods, perPair }
}

/** How busy a processor may be planned: the rest is for the moments when many act at once. */
export const plannedShare = 0.7

/** The contract's limit of sockets, or what one processor carries: a pod runs on one. */
export const participantsPerPod = ({ perParticipantMinute, idle }: Constants): number =>
  Math.min(
    limits.socketsPerInstance,
    Math.floor(((plannedShare - idle.podCores) * 60) / perParticipantMinute.podSeconds),
  )

export interface Needs {
  pods: number
  podCores: number
  podGib: number
  routerCores: number
  redisCommands: number
  redisCores: number
  commits: number
  postgresCores: number
}

/** What so many at once would need in one cluster, should everything grow as it did in the measurement. */
export function needsOf(constants: Constants, participants: number, perPod: number): Needs {
  const { perParticipantMinute: each, idle, podBytes, secondsPerRedisCommand } = constants
  const pods = Math.ceil(participants / perPod)
  const { perPod: perPodCommands, perPair } = idle.redisCommands
  const redisCommands = (participants * each.redisCommands) / 60 + pods * perPodCommands + pods ** 2 * perPair
  return {
    pods,
    podCores: (participants * each.podSeconds) / 60 + pods * idle.podCores,
    podGib: (pods * podBytes) / 2 ** 30,
    routerCores: (participants * each.routerSeconds) / 60 + idle.routerCores,
    redisCommands,
    redisCores: redisCommands * secondsPerRedisCommand,
    commits: (participants * each.commits) / 60 + pods * idle.commitsPerPod,
    postgresCores: (participants * each.postgresSeconds) / 60,
  }
}
