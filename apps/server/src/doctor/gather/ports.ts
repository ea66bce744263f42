import { createServer } from 'node:net'
import { listenOn } from '@atrium/program'
import type { Config } from '../../config/config.ts'
import type { PortFacts } from '../judge/machine.ts'
import { codeOf } from './error-code.ts'
import { askOverHttp } from './http-request.ts'

export async function gatherPorts(config: Config, signal: AbortSignal): Promise<PortFacts[]> {
  const { host, port, metricsPort } = config
  const isOurs = await answersAsAtrium(host, port, signal)
  const stateOf = async (tried: number): Promise<PortFacts['state']> => {
    if (tried === 0) return 'free'
    const failure = await tryListening(host, tried)
    if (failure === undefined) return 'free'
    return failure === 'EADDRINUSE' && isOurs ? 'atrium' : { code: failure }
  }
  return [
    { key: 'PORT', host, port, state: await stateOf(port) },
    { key: 'METRICS_PORT', host, port: metricsPort, state: await stateOf(metricsPort) },
  ]
}

/** Another program may accept a connection and say nothing. */
const patienceMs = 5_000

export async function answersAsAtrium(host: string, port: number, signal: AbortSignal): Promise<boolean> {
  if (port === 0) return false
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  try {
    const soon = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
    const { status, body } = await askOverHttp(`http://${name}:${port}/health/pod`, { signal: soon })
    return status === 200 && body.includes('"podId"')
  } catch {
    return false // Nobody there, or somebody who does not speak HTTP.
  }
}

async function tryListening(host: string, port: number): Promise<string | undefined> {
  const server = createServer()
  try {
    await listenOn(server, host, port)
    return undefined
  } catch (error) {
    return codeOf(error)
  } finally {
    server.close()
  }
}
