import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createTemporaryFolder } from '@atrium/testkit'
import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3'
import { createObjectStore, type ObjectStore, type ObjectStoreOptions } from '../index.ts'

export const bucket = 'films'
export const credentials = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
}

export interface StoreWorld {
  endpoint: string
  folder: string
  store: ObjectStore
  client: S3Client
  errors: unknown[]
  /** How far the clock of the store is ahead of ours; change it at will. */
  clock: { aheadMs: number }
  /** Whether the connection from this port is still open at the store's end. */
  isConnected(port: number): boolean
  stop(): Promise<void>
}

export const settingsOf = (endpoint: string): S3ClientConfig => ({
  endpoint,
  region: 'us-east-1',
  credentials,
  forcePathStyle: true,
  maxAttempts: 1,
})

/** A store behind a bare HTTP server, below a prefix, as the server of the platform mounts it. */
export async function startStore(options: Partial<ObjectStoreOptions> = {}): Promise<StoreWorld> {
  const temporary = createTemporaryFolder('objects')
  const folder = options.folder ?? temporary.path
  const clock = { aheadMs: 0 }
  const errors: unknown[] = []
  const prefix = options.prefix ?? '/objects'
  const store = await createObjectStore({
    bucket,
    credentials: [credentials],
    keepFreeBytes: 0,
    onError: (error) => void errors.push(error),
    now: () => Date.now() + clock.aheadMs,
    ...options,
    folder,
    prefix,
  })
  // On a busy machine the client would send on connections that are just being closed as idle.
  const server = createServer({ requestTimeout: 0, keepAliveTimeout: 0 }, (message, response) => {
    void store.handle(message, response)
  })
  const ports = new Set<number>()
  server.on('connection', (socket) => {
    const { remotePort = 0 } = socket
    ports.add(remotePort)
    socket.once('close', () => ports.delete(remotePort))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`
  const client = new S3Client({ ...settingsOf(endpoint), requestChecksumCalculation: 'WHEN_REQUIRED' })
  return {
    endpoint,
    folder,
    store,
    client,
    errors,
    clock,
    isConnected: (port) => ports.has(port),
    async stop() {
      client.destroy()
      server.closeAllConnections()
      server.close()
      await store.close()
      temporary.remove()
    },
  }
}

export const randomKey = (): string => `test/${randomBytes(8).toString('hex')}`

/** The name of the error with which a call fails; undefined if it succeeds. */
export async function failureOf(call: Promise<unknown>): Promise<string | undefined> {
  try {
    await call
    return undefined
  } catch (error) {
    return (error as Error).name
  }
}

/** The code in an error that the store answered with. */
export const codeIn = (xml: string): string | undefined => /<Code>(\w+)<\/Code>/.exec(xml)?.[1]
