import { limits } from '@atrium/contract'
import { meanOf } from '../../harness/measure.ts'
import type { Rates } from './gauges.ts'

/** What a cluster uses when nobody is there and when everyone plays. */
export interface SizeFigures {
  pods: number
  participants: number
  idle: Rates
  /** By round; together they make up the window. */
  rounds: Rates[]
  /** Resident memory of each pod, before anyone joined and at the end. */
  idleRssBytes: number[]
  playingRssBytes: number[]
  acknowledged: number
  refused: number
  p50Ms: number
  p99Ms: number
}

export interface ScaleOutResult {
  windowSeconds: number
  /** Clusters of growing size with the same number of participants per pod. */
  growing: SizeFigures[]
  /** All participants of the largest cluster on one pod. */
  crowded: SizeFigures
}

/** What a participant adds per minute, and what the parts use when nobody is there. */
export interface Constants {
  perParticipantMinute: Record<'actions' | 'commits' | 'redisCommands' | PartSeconds, number>
  idle: {
    podCores: number
    routerCores: number
    commitsPerPod: number
    redisCommandsPerPod: number
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

/** Above what the same cluster uses when nobody is there. */
export const addedRateOf = (size: SizeFigures, pick: (rates: Rates) => number): number =>
  rateOf(size, pick) - pick(size.idle)

/** From the largest cluster, which is closest to what the model predicts. */
export function constantsOf({ growing, crowded, windowSeconds }: ScaleOutResult): Constants {
  const largest = growing.at(-1)
  if (!largest) throw new Error('no cluster was measured')
  const sizes = [...growing, crowded]
  const { participants } = largest
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
      redisCommandsPerPod: meanOf(sizes.map(({ idle, pods }) => idle.redisCommands / pods)),
    },
    secondsPerRedisCommand:
      rateOf(largest, ({ redisCores }) => redisCores) / rateOf(largest, ({ redisCommands }) => redisCommands),
    podBytes: Math.max(...sizes.flatMap(({ playingRssBytes }) => playingRssBytes)),
  }
}

/** The planned load of a core. The rest is for moments when many act at once. */
export const plannedShare = 0.7

/** The contract's socket limit, or what one core can carry, because a pod runs on one. */
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

/** What this many concurrent participants would need in one cluster if everything grew as measured. */
export function needsOf(constants: Constants, participants: number, perPod: number): Needs {
  const { perParticipantMinute: each, idle, podBytes, secondsPerRedisCommand } = constants
  const pods = Math.ceil(participants / perPod)
  const redisCommands = (participants * each.redisCommands) / 60 + pods * idle.redisCommandsPerPod
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
