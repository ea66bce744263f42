// `npm run work` with a transcoder that takes as long as the test likes: `node slow-worker.ts <stage>`. In the folder
// `stage` it notes who runs a job, in `<videoId>.run-<pid>`, and ends the job when there is a file `<videoId>.end`.
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pace } from '@atrium/testkit'
import { runWorker } from '../../src/compose/worker.ts'
import type { TranscodeRunner } from '../../src/ports/transcode-runner.ts'

const [stage = ''] = process.argv.slice(2)

const slowRunner = (folder: string): TranscodeRunner => ({
  probe: async () => ({ durationMs: 6_000, width: 640, height: 360, hasAudio: true }),
  async runJob({ videoId }, { signal, onProgress }) {
    await writeFile(join(folder, 'original'), 'half a video')
    await writeFile(join(stage, `${videoId}.run-${process.pid}`), folder)
    onProgress(0.5)
    while (!existsSync(join(stage, `${videoId}.end`))) {
      signal.throwIfAborted()
      await pace(20)
    }
    return [{ type: 'HLS_GROUP', outputDetails: [] }]
  },
})

await runWorker(async ({ folder }) => slowRunner(folder), {
  lockMs: 5_000,
  stalledEveryMs: 1_000,
  progressEveryMs: 50,
})
