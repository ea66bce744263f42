import { invocation } from '../../cli/environment.ts'
import { type Io, sayTo } from '../../cli/io.ts'
import type { Engine } from '../../engines/engine.ts'
import type { EngineChoice } from '../../engines/index.ts'
import type { ServeFlags } from './flags.ts'

interface Served {
  baseUrl: string
  engine: Pick<Engine, 'model' | 'contextTokens' | 'parallel'>
  choice: EngineChoice
  apiKey: string
}

const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|::1)$/.test(host)

/** READY, once requests are answered, and before it what the operator should know about it. */
export function announce(served: Served, { host, json }: Pick<ServeFlags, 'host' | 'json'>, io: Io): void {
  const { baseUrl, engine, choice, apiKey } = served
  const { model, parallel } = engine
  if (!isLoopback(host))
    sayTo(io)(
      `The server listens on ${host}: everyone in this network who has the key can use it, and what is sent is not encrypted.`,
    )
  if (parallel === 1)
    sayTo(io)(
      'It works on one request at a time, which does not meet the contract: choose a smaller model or context, or a larger GPU.',
    )
  // How many tokens a server elsewhere takes was not checked: nobody here knows.
  const context = choice.kind === 'upstream' ? {} : { contextTokens: engine.contextTokens }
  if (json) {
    const ready = { event: 'ready', baseUrl, apiKey, model, ...context, parallel, engine: choice.kind }
    io.stdout.write(`${JSON.stringify(ready)}\n`)
    return
  }
  const tool = invocation(io.env)
  const requests = `${parallel} ${parallel === 1 ? 'request' : 'requests'}`
  const length = context.contextTokens === undefined ? '' : ` of ${context.contextTokens} tokens`
  io.stdout.write(`READY
  baseUrl  ${baseUrl}
  apiKey   ${apiKey}
  model    ${model} (${requests}${length} at the same time)
  engine   ${engineOf(choice)}

Check it:         ${tool} verify
Make it public:   ${tool} tunnel --port ${new URL(baseUrl).port}
In the console:   add a credential with the provider Custom, and enter baseUrl, apiKey and model.
Press Ctrl-C to stop.
`)
}

const engineOf = (choice: EngineChoice): string =>
  choice.kind === 'llama-server'
    ? `llama-server, ${choice.binary}`
    : choice.kind === 'upstream'
      ? `the server at ${choice.baseUrl}`
      : 'node-llama-cpp, inside this program'
