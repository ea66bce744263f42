import { hostname } from 'node:os'
import { createBackupFolder } from '../adapters/disk/new-backup.ts'
import { readConfig } from '../config/config.ts'
import { folderArgument } from '../transfer/arguments.ts'
import { openObjectSource, openSource, thisVersion } from '../transfer/installation.ts'
import { refuseUnknownSchema } from '../transfer/manifest.ts'
import { runCommand } from '../transfer/run-command.ts'
import { writeBackup } from '../transfer/write-backup.ts'

const usage = 'npm run backup -- <folder>   the folder must not exist yet, or be empty'

await runCommand(async (report) => {
  const folder = folderArgument(process.argv.slice(2), usage)
  const config = readConfig(process.env, hostname())
  const source = await openSource(config)
  const objects = openObjectSource(config)
  try {
    refuseUnknownSchema(source.migrations, thisVersion)
    const backup = await createBackupFolder(folder)
    const { version } = thisVersion
    const about = { version, createdAt: new Date(), report }
    const facts = await writeBackup({ source, objects, backup, ...about }).catch(async (error) => {
      await backup.discard()
      throw error
    })
    const rows = facts.tables.reduce((sum, table) => sum + table.rows, 0)
    return `Backed up ${rows} rows of ${facts.tables.length} tables and ${facts.objects.count} objects into ${folder}.`
  } finally {
    await source.close()
    await objects?.close()
  }
})
