import { createHash, randomBytes } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createTemporaryFolder, type TemporaryFolder } from '@atrium/testkit'
import { afterEach, beforeEach, expect } from 'vitest'
import { download } from '../download.ts'
import type { DownloadOptions, DownloadProgress } from '../download-options.ts'
import { type Behaviour, type FileServer, startFileServer } from './file-server.ts'

export const original = Buffer.concat([Buffer.from('GGUF'), randomBytes(600_000)])
export const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** A cache and a server with one file, new for each test of a file. */
export class DownloadWorld {
  state: { file: Buffer; behaviour: Behaviour } = { file: original, behaviour: {} }
  said: string[] = []
  progress: DownloadProgress[] = []
  private folder: TemporaryFolder | undefined
  private running: FileServer | undefined

  constructor() {
    beforeEach(async () => {
      this.folder = createTemporaryFolder('agent-download')
      this.state = { file: original, behaviour: { etag: '"one"' } }
      this.said = []
      this.progress = []
      await this.startServer()
    })
    afterEach(async () => {
      await this.running?.stop()
      this.folder?.remove()
    })
  }

  async startServer(): Promise<void> {
    this.running = await startFileServer(this.state)
  }

  get server(): FileServer {
    if (this.running === undefined) throw new Error('outside of a test')
    return this.running
  }

  cache = (): string => join(this.folder?.path ?? '', 'cache')
  target = (): string => join(this.cache(), 'models', 'tiny.gguf')
  filesLeft = async (): Promise<string[]> => (await readdir(dirname(this.target()))).toSorted()

  fetchFile = (more: Partial<DownloadOptions> = {}): Promise<string> =>
    download({
      url: `${this.server.address}/tiny.gguf`,
      cacheFolder: this.cache(),
      path: 'models/tiny.gguf',
      what: 'the model tiny',
      signal: new AbortController().signal,
      say: (text) => this.said.push(text),
      onProgress: (now) => this.progress.push(now),
      limits: { pauseMs: 0, fruitlessAttempts: 3 },
      ...more,
    })

  /** A download that is stopped once `bytes` have arrived: what a process has not read when a connection breaks is lost. */
  async interruptedAfter(bytes: number): Promise<void> {
    const stop = new AbortController()
    const { behaviour } = this.state
    this.state.behaviour = { ...behaviour, fallsSilentAfter: bytes }
    const onProgress = ({ receivedBytes }: DownloadProgress) => receivedBytes === bytes && stop.abort()
    await expect(this.fetchFile({ signal: stop.signal, onProgress })).rejects.toThrow()
    this.state.behaviour = behaviour
    expect((await stat(`${this.target()}.part`)).size).toBe(bytes)
  }
}
