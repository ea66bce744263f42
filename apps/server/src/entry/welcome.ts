import { resolve } from 'node:path'

interface Running {
  /** Where people reach it. */
  http: string
  metrics: string
  /** Whether the web app is served. */
  hasPages: boolean
  /** Where it listens, when it signs in anybody as anybody: the demo needs that. */
  demoAt: string | undefined
  /** Where research data are kept, in words. */
  storage: string
}

export const welcome = ({ http, metrics, hasPages, demoAt, storage }: Running): string => `
  Atrium is running.
${hasPages ? pagesOf(http) : ''}
    API reference      ${http}/api/docs
    OpenAPI document   ${http}/api/openapi.json
    AsyncAPI document  ${http}/api/asyncapi.json
    Health             ${http}/health/ready
    Metrics            ${metrics}/metrics

${demoAt ? `  A whole study, step by step:  npm run demo -- --server ${demoAt}\n` : ''}  Data is kept in ${storage}. Stop with Ctrl-C.

`

const pagesOf = (http: string): string => `
    For participants   ${http}
    For researchers    ${http}/console
`

/** Never the address itself: it holds a password. */
export const storageOf = (databaseUrl: string | undefined, dataDir: string): string =>
  databaseUrl ? 'PostgreSQL (DATABASE_URL)' : `${resolve(dataDir)} (DATA_DIR)`
