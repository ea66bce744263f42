import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { it, onTestFinished } from 'vitest'
import { startChild } from './child.ts'

/**
 * Programs that live as long as their connection to us, and whose end we notice by its end. The number of a process says
 * less: one that nobody has waited for keeps it.
 */
async function listen() {
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    script: `process.on('SIGTERM', () => undefined); require('net').connect(${port}, '127.0.0.1')`,
    async connected(): Promise<{ ended: Promise<unknown> }> {
      const [socket] = (await once(server, 'connection')) as [Socket]
      return { ended: once(socket.resume(), 'close') }
    },
  }
}

it('[AG37] what the tool started ends when the tool is killed', async () => {
  const { script, connected } = await listen()
  const program = fileURLToPath(new URL('test/parent-program.ts', import.meta.url))
  const tool = spawn(process.execPath, [program, process.execPath, '-e', script], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  // The child may connect before the tool has begun to watch over it.
  const [child] = await Promise.all([connected(), once(tool.stdout, 'data')])
  tool.kill('SIGKILL')
  await child.ended
})

it('[AG37] what a program has started ends with it, even if it ignores SIGTERM and has closed its outputs', async () => {
  const { script, connected } = await listen()
  const starts = '"$0" -e "$1" >/dev/null 2>&1 & wait'
  const child = startChild('sh', '/bin/sh', ['-c', starts, process.execPath, script], { env: process.env })
  const started = await connected()
  await child.stop()
  await started.ended
})
