import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { createTemporaryFolder, runnableOf } from '@atrium/testkit'
import { onTestFinished } from 'vitest'
import { digestOf } from '../../src/transfer/fill-tables.ts'
import { openObjectTarget, openSource } from '../../src/transfer/installation.ts'
import { tablesInOrder } from '../../src/transfer/tables-in-order.ts'
import { read } from '../operations/read-config.ts'

type Env = Readonly<Record<string, string>>

/** Starts the command of an operator as a program of its own. */
export function startCommand(name: 'backup' | 'restore' | 'move', args: readonly string[], env: Env) {
  const entry = fileURLToPath(new URL(`../../src/entry/${name}.ts`, import.meta.url))
  const child = spawn(process.execPath, [runnableOf(entry), ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL')) // A test that fails leaves nothing running.
  const code = new Promise<number | null>((resolve) => child.once('close', resolve))
  const ended = Promise.all([code, text(child.stdout), text(child.stderr)])
  return {
    kill: () => void child.kill('SIGKILL'),
    ended: ended.then(([code, stdout, stderr]) => ({ code, stdout, stderr })),
  }
}

export const runCommand = async (...command: Parameters<typeof startCommand>) =>
  await startCommand(...command).ended

/** A folder for one test. */
export function folderForTest(): string {
  const folder = createTemporaryFolder('transfer')
  onTestFinished(() => folder.remove())
  return folder.path
}

/** What every table holds, read directly. */
export async function contentsOf(env: Env): Promise<Record<string, { rows: number; digest: string }>> {
  const source = await openSource(read({ ...env }))
  try {
    const found: Record<string, { rows: number; digest: string }> = {}
    for (const table of tablesInOrder)
      found[table] = await digestOf(source.rows(table, await source.columnsOf(table)))
    return found
  } finally {
    await source.close()
  }
}

/** Puts objects where the server of this configuration has them. */
export async function storeObjects(env: Env, objects: Readonly<Record<string, string>>): Promise<void> {
  const store = await openObjectTarget(read({ ...env }))
  for (const [key, value] of Object.entries(objects)) {
    const bytes = Buffer.from(value)
    await store?.put(key, {
      size: bytes.length,
      contentType: 'video/mp4',
      read: async function* ({ first, last } = { first: 0, last: bytes.length - 1 }) {
        yield bytes.subarray(first, last + 1)
      },
    })
  }
  await store?.close()
}

/** Type and SHA-256 of every object. */
export async function objectsOf(env: Env): Promise<Record<string, string>> {
  const store = await openObjectTarget(read({ ...env }))
  const found: Record<string, string> = {}
  for await (const key of store?.keys() ?? []) {
    const object = await store?.open(key)
    const hash = createHash('sha256')
    for await (const chunk of object?.read() ?? []) hash.update(chunk)
    found[key] = `${object?.contentType} ${hash.digest('hex')}`
  }
  await store?.close()
  return found
}
