import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { Misuse } from '../../misuse.ts'
import { type Child, startChild } from '../../processes/index.ts'
import type { Engine, EngineOptions } from '../engine.ts'
import { connectChatApi } from '../http/chat-api.ts'
import { listOr, recordOr } from '../http/json-facts.ts'
import { llamaServerArguments, llamaServerEnvironment, loopback } from './arguments.ts'
import { ask, type LlamaServerAddress, waitUntilReady } from './readiness.ts'

export interface LlamaServerChoice {
  kind: 'llama-server'
  binary: string
  modelPath: string
  /** The name that `/models` lists. */
  model: string
}

export interface LlamaServerLimits {
  /** Loading a large model from a slow disk takes minutes. */
  readyWithinMs?: number
  stopGraceMs?: number
  env?: NodeJS.ProcessEnv
  /** For tests: the port to try first. */
  findPort?: () => Promise<number>
}

const name = 'llama-server'
const maxPorts = 3
const portTaken = /couldn't bind|address already in use|failed to bind/i

/** llama.cpp's server as a child process on loopback. It refuses prompts that are too long by itself. */
export async function openLlamaServer(
  choice: LlamaServerChoice,
  options: EngineOptions,
  limits: LlamaServerLimits = {},
): Promise<Engine> {
  const { child, server } = await startOnFreePort(choice, options, limits)
  try {
    await refuseSmallerContext(server, options.contextTokens)
  } catch (error) {
    await child.stop()
    throw error
  }
  const baseUrl = `http://${loopback}:${server.port}/v1`
  const api = connectChatApi({ baseUrl, apiKey: server.apiKey, model: choice.model, who: name })
  return {
    model: choice.model,
    contextTokens: options.contextTokens,
    parallel: options.parallel,
    countTokens: async () => undefined,
    complete: api.complete,
    stream: api.stream,
    lost: child.lost.then((because) => `${because} Start the tool again.`),
    async stop() {
      api.close()
      await child.stop()
    },
  }
}

/** Tries other ports, because another program may take the one that was free a moment ago. */
async function startOnFreePort(
  choice: LlamaServerChoice,
  options: EngineOptions,
  limits: LlamaServerLimits,
): Promise<{ child: Child; server: LlamaServerAddress }> {
  const { readyWithinMs = 900_000, stopGraceMs, env = process.env, findPort = findFreePort } = limits
  const { signal } = options
  for (let attempt = 1; ; attempt++) {
    const server = {
      port: await (attempt === 1 ? findPort : findFreePort)(),
      apiKey: randomBytes(24).toString('base64url'),
    }
    const args = llamaServerArguments({ ...choice, ...options, port: server.port })
    const child = startChild(name, choice.binary, args, {
      env: llamaServerEnvironment(env, server.apiKey),
      graceMs: stopGraceMs,
    })
    const readiness = await waitUntilReady(child, server, readyWithinMs, signal)
    if (readiness.kind === 'ready') return { child, server }
    await child.stop()
    signal?.throwIfAborted()
    if (readiness.kind === 'never')
      throw new Misuse(
        `${name} was not ready after ${Math.round(readyWithinMs / 1000)} s.${child.lastOutput()} ` +
          'Try a smaller model, or look at what else uses this machine.',
      )
    if (attempt < maxPorts && portTaken.test(readiness.because)) continue
    throw new Misuse(readiness.because)
  }
}

/** It starts with a larger context than the model has been trained for, and then answers nonsense. */
async function refuseSmallerContext(server: LlamaServerAddress, contextTokens: number): Promise<void> {
  const signal = new AbortController().signal
  const [, models] = await ask('GET', '/v1/models', server, signal)
  const trained = recordOr(recordOr(listOr(recordOr(models).data)[0]).meta).n_ctx_train
  const [, props] = await ask('GET', '/props', server, signal)
  const perSlot = recordOr(recordOr(props).default_generation_settings).n_ctx
  for (const max of [trained, perSlot])
    if (typeof max === 'number' && max > 0 && max < contextTokens)
      throw new Misuse(
        `The model has a context of ${max} tokens, not ${contextTokens}. Start with --ctx ${max}.`,
      )
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, loopback)
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('The probe has no port.')
  return address.port
}
