import { type FileHandle, open, readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import {
  createQueueState,
  type QueueChange,
  type QueueContent,
  type QueueState,
} from '../queue/memory-state.ts'

/** First line of a log. Its counts and events are what a compaction kept. */
interface LogHead extends QueueContent {
  format: 1
  key: string
}

/** A log is rewritten when it holds this many lines of the past for each one that still matters. */
const linesBeforeCompaction = 2_000

/**
 * An append-only file of JSON lines. A change is durable (fsync) before its promise resolves; changes that are made
 * while one is being written go to the disk together.
 */
export async function openQueueLog(path: string, key: string) {
  const { state, lines, isNew } = await readLog(path, key)
  if (isNew) await replaceLog(path, key, state)
  let file = await open(path, 'a')
  let linesInLog = lines
  let waiting: { line: string; resolve: () => void; reject: (error: unknown) => void }[] = []
  let writing: Promise<void> | undefined
  // A write that failed half-way (a full disk) leaves half a line that the next one would be glued to.
  let mayBeTorn = false

  async function writeOut(): Promise<void> {
    while (waiting.length > 0) {
      const group = waiting
      waiting = []
      try {
        if (mayBeTorn) await compact()
        mayBeTorn = true
        await file.appendFile(group.map(({ line }) => line).join(''))
        await file.datasync()
        mayBeTorn = false
        linesInLog += group.length
        for (const { resolve } of group) resolve()
        if (linesInLog > linesBeforeCompaction + state.counts().pending * 2) await compact()
      } catch (error) {
        for (const { reject } of group) reject(error)
      }
    }
    // Here and not in a `finally` after the promise: a change made in between would find nobody to write it.
    writing = undefined
  }

  async function compact(): Promise<void> {
    // Between here and the new handle nothing else writes: `writeOut` is the only writer and waits for this.
    const lines = await replaceLog(path, key, state)
    const former = file
    file = await open(path, 'a')
    linesInLog = lines
    await former.close()
  }

  return {
    state,
    /** Applies a change at once, so that order is that of the calls; durable when it resolves. */
    write(change: QueueChange): Promise<void> {
      state.apply(change)
      return new Promise((resolve, reject) => {
        waiting.push({ line: `${JSON.stringify(change)}\n`, resolve, reject })
        writing ??= writeOut()
      })
    },
    /** When all that was written so far is durable, or has failed its own caller. */
    settled: (): Promise<void> => writing ?? Promise.resolve(),
    async close(): Promise<void> {
      while (writing) await writing
      await file.close()
    },
  }
}

async function readLog(
  path: string,
  key: string,
): Promise<{ state: QueueState; lines: number; isNew: boolean }> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  // A crash can leave half a line at the end: it was never acknowledged to anyone, so it is cut off.
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  if (whole === '') return { state: createQueueState(), lines: 1, isNew: true }
  const [first = '', ...rest] = whole.trimEnd().split('\n')
  const head = parseLine<LogHead>(path, 1, first)
  if (head.format !== 1 || head.key !== key) throw new Error(`${path} is not the queue of ‘${key}’`)
  const state = createQueueState(head)
  rest.forEach((line, index) => {
    state.apply(parseLine<QueueChange>(path, index + 2, line))
  })
  if (whole.length < text.length) await cutOff(path, Buffer.byteLength(whole))
  return { state, lines: rest.length + 1, isNew: false }
}

function parseLine<Line>(path: string, number: number, line: string): Line {
  try {
    return JSON.parse(line) as Line
  } catch {
    // Not a torn end but damage: going on would lose events without a word.
    throw new Error(`${path} is damaged in line ${number}`)
  }
}

async function cutOff(path: string, bytes: number): Promise<void> {
  await withFile(path, 'r+', async (file) => {
    await file.truncate(bytes)
    await file.datasync()
  })
}

/** Writes the present content beside the log and puts it in its place, so that a crash leaves one or the other. */
async function replaceLog(path: string, key: string, state: QueueState): Promise<number> {
  const head: LogHead = { format: 1, key, ...state.content() }
  await withFile(`${path}.new`, 'w', async (file) => {
    await file.writeFile(`${JSON.stringify(head)}\n`)
    await file.sync()
  })
  await rename(`${path}.new`, path)
  await syncFolder(dirname(path))
  return 1
}

/** The new name is durable only when its folder is. Windows cannot open folders, and needs no such step. */
const syncFolder = async (folder: string): Promise<void> => {
  if (process.platform === 'win32') return
  await withFile(folder, 'r', (file) => file.sync())
}

async function withFile(
  path: string,
  flags: string,
  use: (file: FileHandle) => Promise<void>,
): Promise<void> {
  const file = await open(path, flags, 0o600)
  try {
    await use(file)
  } finally {
    await file.close()
  }
}
