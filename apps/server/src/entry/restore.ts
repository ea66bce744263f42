import { hostname } from 'node:os'
import { openBackupFolder } from '../adapters/disk/stored-backup.ts'
import { readConfig } from '../config/config.ts'
import { folderArgument } from '../transfer/arguments.ts'
import { openObjectTarget, openTarget, thisVersion } from '../transfer/installation.ts'
import { restoreBackup, verifyBackup } from '../transfer/restore-backup.ts'
import { runCommand } from '../transfer/run-command.ts'

const usage = 'npm run restore -- <folder>   restores a backup into an empty installation'

await runCommand(async (report) => {
  const folder = folderArgument(process.argv.slice(2), usage)
  const config = readConfig(process.env, hostname())
  const backup = openBackupFolder(folder)
  const manifest = await verifyBackup(backup, thisVersion, report)
  const target = await openTarget(config)
  try {
    const objects = await openObjectTarget(config)
    try {
      await restoreBackup({ backup, manifest, target, objects, report })
    } finally {
      await objects?.close()
    }
  } finally {
    await target.close()
  }
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  return `Restored ${rows} rows of ${manifest.tables.length} tables and ${manifest.objects.count} objects from ${folder}.`
})
