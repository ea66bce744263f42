import { hostname } from 'node:os'
import { readConfig } from '../config/config.ts'
import { moveArguments } from '../transfer/arguments.ts'
import { moveEmbedded } from '../transfer/move-embedded.ts'
import { runCommand } from '../transfer/run-command.ts'

const usage = `npm run move -- --to postgres://… [--objects https://… | --keep-objects]
Copies the embedded installation in DATA_DIR to PostgreSQL, and its objects to the S3 at --objects (or S3_ENDPOINT).`

await runCommand(async (report) => {
  const { to, objects, keepsObjects } = moveArguments(process.argv.slice(2), usage)
  const s3 = objects === undefined ? {} : { S3_ENDPOINT: objects }
  const config = readConfig({ ...process.env, ...s3, DATABASE_URL: to }, hostname())
  const moved = await moveEmbedded(config, { databaseUrl: to, keepsObjects }, report)
  return `Moved ${moved.rows} rows of ${moved.tables} tables and ${moved.objects} objects. ${config.dataDir} is unchanged: do not start a server on it again.`
})
