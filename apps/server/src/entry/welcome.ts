interface Addresses {
  http: string
  metrics: string
  /** Whether the web app is served. */
  hasPages: boolean
}

export const welcome = ({ http, metrics, hasPages }: Addresses): string => `
  Atrium is running.
${hasPages ? pagesOf(http) : ''}
    API reference      ${http}/api/docs
    OpenAPI document   ${http}/api/openapi.json
    Health             ${http}/health/ready
    Metrics            ${metrics}/metrics

  A whole participant's life, step by step:  npm run demo
  Stop with Ctrl-C. Data is kept in DATA_DIR (./data).

`

const pagesOf = (http: string): string => `
    For participants   ${http}
    For researchers    ${http}/console
`
