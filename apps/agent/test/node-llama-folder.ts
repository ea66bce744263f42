import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installNodeLlama } from '../src/engines/node-llama/install.ts'
import { makeTinyModel } from './tiny-model.ts'

/** A user's cache for all tests, as XDG_CACHE_HOME names it. */
export const testCacheHome = fileURLToPath(new URL('../../../node_modules/.cache', import.meta.url))

/** Installing takes a minute on a new machine; afterwards it is there. */
export const installWithinMs = 900_000

/** The real node-llama-cpp for the processor, installed as the tool installs it, once for all test runs. */
export const nodeLlamaFolder = (): Promise<string> =>
  installNodeLlama(join(testCacheHome, 'atrium-agent'), { say: () => undefined })

/** Writes the tiny model into a folder and returns its path. */
export function writeTinyModel(folder: string, options: { contextLength?: number } = {}): string {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'tiny.gguf')
  writeFileSync(path, makeTinyModel(options))
  return path
}
