import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ServerStartError, startServer, waitUntil } from '@atrium/testkit'
import { describe, expect, test } from 'vitest'
import { queryPostgres } from '../stores/engines.ts'
import { emptyInstallation, smallInstallation } from './restored-installations.ts'
import { contentsOf, folderForTest, runCommand, startCommand } from './transfer-stage.ts'

/** 150 MB of text. Held in memory, it would not fit into the heap that the commands get. */
const [manyRows, charactersEach] = [50_000, 3_000]
const smallHeap = { NODE_OPTIONS: '--max-old-space-size=64' }

describe.each(['sqlite', 'postgres'] as const)('more rows than fit into memory (%s)', (engine) => {
  test('[R50] pass through a small heap; a restore that is killed leaves no installation, and succeeds when repeated', async () => {
    const installation = await smallInstallation(manyRows, charactersEach)
    const backup = join(folderForTest(), 'backup')
    const backedUp = await runCommand('backup', [backup], { ...installation, ...smallHeap })
    expect(backedUp).toMatchObject({ code: 0, stderr: '' })
    const target = await emptyInstallation(engine)
    const { DATA_DIR: dataDir = '', DATABASE_URL: url = '' } = target
    const unfinished = join(dataDir, 'atrium.db.unfinished')
    const rows = async (): Promise<number> => {
      if (engine === 'sqlite') return existsSync(unfinished) ? statSync(unfinished).size : 0
      const [row] = await queryPostgres(url, 'select count(*)::int as n from audit_log').catch(() => [])
      return Number(row?.n ?? 0)
    }

    const killed = startCommand('restore', [backup], { ...target, ...smallHeap })
    await waitUntil(
      async () => (await rows()) > (engine === 'sqlite' ? 15_000_000 : 5_000) || 'it has not begun',
    )
    killed.kill()
    expect(await killed.ended).toMatchObject({ code: null, stdout: '' })
    const refused = await startServer({ dataDir, env: target }).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(ServerStartError)
    expect((refused as ServerStartError).stderr).toContain('was interrupted')
    expect(await runCommand('backup', [join(folderForTest(), 'of nothing')], target)).not.toMatchObject({
      code: 0,
    })

    const repeated = await runCommand('restore', [backup], { ...target, ...smallHeap })
    expect(repeated).toMatchObject({ code: 0, stderr: '' })
    expect(await contentsOf(target)).toEqual(await contentsOf(installation))
    const started = await startServer({ dataDir, env: target })
    await started.stop()
  }, 600_000)
})
