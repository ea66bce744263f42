import { expect, it } from 'vitest'
import type { OpenedCredential } from '../credentials/credentials.ts'
import type { ModelProvider } from '../providers/provider.ts'
import { createOpenModels } from './open-models.ts'

const stored: OpenedCredential = {
  owner: 'ann',
  name: 'llama.cpp',
  baseUrl: 'http://127.0.0.1:8080/v1',
  model: 'tiny',
  timeoutMs: 60_000,
  apiKey: 'atr_one',
}

/** A credential that can change, and what was read of it. */
function createWorld() {
  let now = 0
  let credential: OpenedCredential | Error | undefined = stored
  const counts = { reads: 0, providers: 0 }
  const openModel = createOpenModels({
    clock: { now: () => now },
    credentials: {
      async open() {
        counts.reads++
        if (credential instanceof Error) throw credential
        return credential
      },
    },
    createProvider: ({ apiKey }) => {
      counts.providers++
      return { apiKey } as unknown as ModelProvider
    },
  })
  return {
    counts,
    open: () => openModel('cred_1'),
    change: (to: typeof credential) => {
      credential = to
    },
    pass: (ms: number) => {
      now += ms
    },
  }
}

it('[AC11] agents of one credential share its provider, and read it again only now and then', async () => {
  const { open, counts, pass } = createWorld()
  const [one, other] = await Promise.all([open(), open()])
  expect(other).toBe(one)
  pass(1_999)
  expect(await open()).toBe(one)
  expect(counts).toEqual({ reads: 1, providers: 1 })
  pass(1)
  expect((await open())?.provider).toBe(one?.provider)
  expect(counts).toEqual({ reads: 2, providers: 1 })
})

it('[AC11] a change counts after two seconds at the latest: model and time-out, and another provider for another key', async () => {
  const { open, change, pass } = createWorld()
  const first = await open()
  change({ ...stored, model: 'small', timeoutMs: 10_000 })
  expect(await open()).toBe(first)
  pass(2_000)
  expect(await open()).toMatchObject({ model: 'small', timeoutMs: 10_000, provider: first?.provider })
  change({ ...stored, apiKey: 'atr_two' })
  pass(2_000)
  expect((await open())?.provider).toEqual({ apiKey: 'atr_two' })
})

it('[AC11] what could not be read or is not there is read again by the next turn', async () => {
  const { open, change, counts } = createWorld()
  change(undefined)
  expect(await open()).toBeUndefined()
  change(new Error('the database is away'))
  await expect(open()).rejects.toThrow('away')
  change(stored)
  expect(await open()).toMatchObject({ model: 'tiny' })
  expect(counts.reads).toBe(3)
})
