import type { Simulation } from '@atrium/bots'
import type { Owners } from './owners.ts'
import type { RollingCluster } from './rolling-cluster.ts'

/** Figures for whoever runs the test. */
export function summaryOf(cluster: RollingCluster, waves: readonly Simulation[], owners: Owners): string {
  const logs = waves.flatMap((wave) => wave.logs)
  const count = (kind: string): number =>
    logs.reduce((sum, { events }) => sum + events.filter((event) => event.kind === kind).length, 0)
  const ways = Map.groupBy(owners.values(), (versions) => versions.join(' → '))
  return [
    `${logs.length} participants in ${waves.length} waves, ${cluster.replacements()} programs replaced`,
    `${count('completed')} completed, ${count('failed')} failed`,
    `${count('acknowledged')} actions acknowledged, ${count('refused')} refused, ${count('unanswered')} unanswered`,
    ...[...ways].map(([way, rooms]) => `${rooms.length} rooms on ${way}`),
  ].join('\n')
}
