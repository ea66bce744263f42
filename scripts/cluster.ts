// Runs the platform as several processes on this machine: PostgreSQL, Redis, pods, the web app and the router.
import { parseArgs } from 'node:util'
import { startCluster } from '@atrium/testkit/without-vitest'

const { values } = parseArgs({ options: { pods: { type: 'string', default: '3' } } })
const pods = Number(values.pods)
if (!Number.isInteger(pods) || pods < 1 || pods > 50) {
  console.error(`--pods must be a whole number from 1 to 50, but is “${values.pods}”.`)
  process.exit(1)
}

console.error(`Starting PostgreSQL, Redis, ${pods} pods, the web app and the router …`)
const cluster = await startCluster({ pods, router: true, web: true })
const router = cluster.router
process.stdout.write(
  `${JSON.stringify({ event: 'listening', http: router?.http, metrics: router?.metrics })}\n`,
)
console.error(
  [
    `Open ${router?.http} as a participant, ${router?.http}/console as a researcher; the reference is at ${router?.http}/api/docs.`,
    `  web app  ${cluster.web?.http}  process ${cluster.web?.pid}`,
    ...cluster.servers.map(({ env, http, pid }) => `  ${env.POD_NAME}  ${http}  process ${pid}`),
    `  Redis ${cluster.redis.url}   PostgreSQL ${cluster.databaseUrl}`,
    'Press Ctrl-C to stop. All data is deleted then.',
  ].join('\n'),
)

let isStopping = false
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    if (isStopping) return
    isStopping = true
    console.error('Stopping …')
    cluster.stop().then(
      () => process.exit(0),
      (error: Error) => {
        console.error(error.message)
        process.exit(1)
      },
    )
  })
