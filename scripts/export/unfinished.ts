import { existsSync } from 'node:fs'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import type { DataClient, DataQuery } from '@atrium/client/node'

export interface Download {
  client: DataClient
  experimentId: string
  query: DataQuery
  output: string
  onProgress(bytes: number): void
}

export interface Downloaded {
  bytes: number
  /** Bytes that an earlier run had left. */
  continuedAt: number
}

/** A download under way: its file, and a note about what is needed to continue. */
export function unfinished<Note extends object>({ experimentId, query, output }: Download) {
  const file = `${output}.part`
  const path = `${file}.json`
  const wanted = { experimentId, query }
  return {
    file,
    /** What an earlier run has noted; undefined if there was none, or it was about something else. */
    async note(): Promise<Note | undefined> {
      if (!existsSync(path) || !existsSync(file)) return undefined
      const { experimentId, query, ...note } = jsonIn(await readFile(path, 'utf8'))
      return JSON.stringify({ experimentId, query }) === JSON.stringify(wanted) ? note : undefined
    },
    /** Never half: a program that is killed meanwhile leaves the earlier one. */
    async write(note: Note): Promise<void> {
      await writeFile(`${path}.new`, JSON.stringify({ ...wanted, ...note }))
      await rename(`${path}.new`, path)
    },
    async finish(): Promise<void> {
      await rename(file, output)
      await rm(path, { force: true })
    },
  }
}

/** A machine that lost its power may have left anything. */
function jsonIn(text: string) {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}
