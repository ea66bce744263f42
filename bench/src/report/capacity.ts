import { limits } from '@atrium/contract'
import { type Constants, needsOf, participantsPerPod, plannedShare } from '../suites/scale-out/model.ts'
import { table } from './table.ts'

/** The predictions, and how many participants go to a pod: the contract's default, or as many as one can carry. */
const scenarios = [
  { participants: 10_000, perPod: limits.participantsPerPod },
  { participants: 10_000 },
  { participants: 20_000 },
  { participants: 1_000_000 },
]

const thousands = (value: number): string => Math.round(value).toLocaleString('en')

export function renderConstants(constants: Constants): string {
  const { perParticipantMinute: each, idle, podBytes, secondsPerRedisCommand } = constants
  const full = participantsPerPod(constants)
  const rows: [string, string][] = [
    ['actions per participant and minute', each.actions.toFixed(1)],
    ['pod CPU per participant and minute', `${(each.podSeconds * 1000).toFixed(1)} ms`],
    ['router CPU per participant and minute', `${(each.routerSeconds * 1000).toFixed(1)} ms`],
    ['PostgreSQL CPU per participant and minute', `${(each.postgresSeconds * 1000).toFixed(1)} ms`],
    ['PostgreSQL commits per participant and minute', each.commits.toFixed(1)],
    ['Redis commands per participant and minute', each.redisCommands.toFixed(1)],
    [
      'idle pod',
      `${(idle.podCores * 100).toFixed(1)} % of a core, ${idle.commitsPerPod.toFixed(1)} commits/s`,
    ],
    ['Redis commands/s of an idle pod', idle.redisCommandsPerPod.toFixed(1)],
    ['Redis CPU per command', `${(secondsPerRedisCommand * 1e6).toFixed(1)} µs`],
    ['memory of a pod, at most', `${(podBytes / 2 ** 20).toFixed(0)} MiB`],
    [
      `participants per pod core, planned at ${plannedShare * 100} %`,
      thousands((plannedShare * 60) / each.podSeconds),
    ],
    ['participants per pod', thousands(full)],
    ['participants per GiB of pods', thousands((full * 2 ** 30) / podBytes)],
  ]
  return `### Constants

${table(['above idle, from the largest cluster', 'measured'], rows)}
`
}

export function renderNeeds(constants: Constants): string {
  const rows = scenarios.map(({ participants, perPod = participantsPerPod(constants) }) => {
    const needs = needsOf(constants, participants, perPod)
    return [
      `${thousands(participants)}, ${perPod} per pod`,
      ...[needs.pods, needs.podCores, needs.podGib, needs.routerCores, needs.redisCommands].map(thousands),
      needs.redisCores.toFixed(1),
      ...[needs.commits, needs.postgresCores].map(thousands),
    ]
  })
  const head = ['participants at once', 'pods', 'pod cores', 'pod GiB', 'router cores', 'Redis commands/s']
  return `### What larger studies would need, in one cluster

${table([...head, 'Redis cores', 'commits/s', 'PostgreSQL cores'], rows)}

- Extrapolated from at most 4 pods with the formulas below; cores are busy cores, not the number to buy.
`
}
