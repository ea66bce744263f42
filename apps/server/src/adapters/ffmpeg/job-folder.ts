import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Runs `act` in a folder that nobody else can read, and removes it with everything in it. */
export async function inJobFolder<Result>(
  workFolder: string,
  act: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(workFolder, 'job-'))
  try {
    return await act(folder)
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
