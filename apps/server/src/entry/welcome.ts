import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An address that a person can open: a server on all interfaces is reached by the loopback one. */
export function addressOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}

export const welcome = (http: string, metrics: string): string => `
  Atrium is running.

    API reference      ${http}/api/docs
    OpenAPI document   ${http}/api/openapi.json
    Health             ${http}/health/ready
    Metrics            ${metrics}/metrics

  A whole participant's life, step by step:  npm run demo
  Stop with Ctrl-C. Data is kept in DATA_DIR (./data).

`
