export interface LlamaServerSettings {
  modelPath: string
  model: string
  port: number
  contextTokens: number
  parallel: number
  mtp?: boolean | undefined
  threads?: number | undefined
  gpuLayers?: number | undefined
}

export const loopback = '127.0.0.1'

/** The command line of llama-server. No key is in it, because every user of the machine can read it. */
export function llamaServerArguments(settings: LlamaServerSettings): string[] {
  const { modelPath, model, port, contextTokens, parallel, mtp, threads, gpuLayers } = settings
  return [
    ...['--model', modelPath],
    ...['--alias', model],
    ...['--host', loopback],
    ...['--port', String(port)],
    // It divides the context by the number of slots.
    ...['--ctx-size', String(contextTokens * parallel)],
    ...['--parallel', String(parallel)],
    '--cont-batching',
    '--jinja', // Without it, tools are refused.
    '--no-context-shift', // An overflow is refused, never cut silently.
    ...(mtp ? ['--spec-type', 'draft-mtp'] : []),
    ...(threads === undefined ? [] : ['--threads', String(threads)]),
    ...(gpuLayers === undefined ? [] : ['--n-gpu-layers', String(gpuLayers)]),
  ]
}

/**
 * The environment of llama-server: ours, with a key that only this run knows, so that nobody else on this machine and no
 * page in a browser can use the engine past the front. `LLAMA_ARG_*` would change what we ask for, and our own secrets
 * are none of its business. Cards are counted as nvidia-smi does, by which the model was chosen; CUDA alone would begin with the fastest.
 */
export function llamaServerEnvironment(env: NodeJS.ProcessEnv, apiKey: string): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !/^(?:LLAMA_ARG_|LLAMA_API_KEY$|ATRIUM_)/i.test(name))
  return { CUDA_DEVICE_ORDER: 'PCI_BUS_ID', ...Object.fromEntries(kept), LLAMA_API_KEY: apiKey }
}
