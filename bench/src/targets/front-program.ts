// The front of the agent tool as a program of its own, in front of the server at MODEL_URL.
import { openEngine } from '../../../apps/agent/src/engines/open-engine.ts'
import { startFront } from '../../../apps/agent/src/front/front.ts'

const { MODEL_URL: baseUrl = '', FRONT_KEY: apiKey = '' } = process.env
const engine = await openEngine(
  { kind: 'upstream', baseUrl, model: 'bench' },
  { contextTokens: 32_768, parallel: 64, say: () => undefined },
)
const { address } = await startFront({ engine, apiKey, host: '127.0.0.1', port: 0 })
process.stdout.write(`${JSON.stringify({ event: 'listening', http: address, metrics: address })}\n`)
process.on('SIGTERM', () => process.exit(0))
