import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startHttp } from '../../test/start-http.ts'
import { tinyGguf } from '../presets/test/tiny-gguf.ts'
import { createServeWorld } from './test/serve-world.ts'

let world: ReturnType<typeof createServeWorld>
const servers: { stop(): void }[] = []
beforeEach(() => {
  world = createServeWorld()
})
afterEach(() => {
  for (const server of servers.splice(0)) server.stop()
  world.remove()
})

describe('[AG87] what cannot be is a sentence', () => {
  const refused = (...args: string[]) => expect(world.serve(...args)).rejects

  test('[R46] --no-thinking was there in one release', async () => {
    await refused('--no-thinking').toThrow(/v0\.1\.2 had it, and v0\.1\.3 removed it/)
    await refused('--port', '1', '--no-thinking=true').toThrow(/v0\.1\.3 removed it/)
  })

  test.each([
    [['--port', '70000'], /--port has to be a whole number from 0 to 65535/],
    [['--parallel', '0'], /--parallel has to be a whole number from 1/],
    [['--ctx', '1e9'], /--ctx has to be a whole number/],
    [['--engine', 'ollama'], /--engine is one of auto, llama-server/],
    [['--host', 'a b'], /--host is an address of this machine/],
    [['--paralel', '2'], /no flag --paralel.*Did you mean --parallel/],
    [['extra'], /takes no argument/],
    [['--model', 'no-such-preset'], /There is no preset no-such-preset/],
    [['--model', './nowhere.gguf'], /There is no model at .*nowhere\.gguf/],
    [['--model', 'https://example.org/m-00001-of-00003.gguf'], /one of several files/],
    [['--model', 'qwen3.5-9b', '--mtp'], /--mtp does not work with qwen3\.5-9b.*only the Qwen3\.6 family/],
    [
      ['--model', 'qwen3.5-9b', '--ctx', '300000'],
      /supports a context of up to 262144 tokens, and --ctx asks for 300000/,
    ],
    [['--ctx', '300000'], /up to 262144 tokens/],
    [['--model', 'qwen3.6-27b-q8'], /does not fit: it needs 2\d\.\d GiB/],
    [['--engine', 'upstream'], /needs the base URL.*--upstream/],
    [['--upstream', 'http://127.0.0.1:9/api'], /must begin with http and end in \/v1/],
    [['--upstream', 'http://127.0.0.1:9/v1', '--mtp'], /--mtp has no effect on a server elsewhere/],
    [
      ['--upstream', 'http://127.0.0.1:9/v1', '--engine', 'llama-server'],
      /does not run a model that is on a server/,
    ],
    [
      ['--engine', 'node-llama-cpp', '--mtp', '--model', 'qwen3.6-27b', '--parallel', '1'],
      /--mtp needs llama-server/,
    ],
    [['--llama-server', '/nowhere/llama-server'], /is not a program that this user can run/],
    [['--engine', 'llama-server'], /no llama-server on this machine, and none can be downloaded/],
  ])('%j', async (args, why) => {
    await refused(...args).toThrow(why)
    expect(world.log).toEqual([])
  })

  test('a file without layers for --mtp, and a context longer than the file knows', async () => {
    await world.addLlamaServer('bin')
    const model = await world.addModel(tinyGguf())
    await refused('--model', model, '--mtp').toThrow(/--mtp does not work with tiny/)
    await refused('--model', model, '--ctx', '100000').toThrow(
      /tiny supports a context of up to 65536 tokens/,
    )
  })

  test('a port that is taken: another one is named, and nothing is downloaded', async () => {
    await world.addLlamaServer('bin')
    const other = await startHttp((_, response) => response.end())
    servers.push(other)
    const model = await world.addModel(tinyGguf())
    await refused('--model', model, '--port', String(other.port)).toThrow(
      new RegExp(`Port ${other.port} is taken by another program.*--port \\d+`),
    )
    await refused('--model', model, '--host', '203.0.113.7').toThrow(/cannot listen on 203\.0\.113\.7/)
    expect(world.log).toEqual([])
  })

  test('a llama-server that cannot run, or that is too old for --mtp', async () => {
    await world.addLlamaServer('bin', 'error while loading shared libraries: libgomp.so.1', 127)
    const model = await world.addModel(tinyGguf({ 'llama.nextn_predict_layers': 1 }))
    await refused('--model', model, '--port', '0').toThrow(/cannot run on this machine: .*libgomp/)
    await world.addLlamaServer('bin', '--spec-type none,draft-simple')
    await refused('--model', model, '--port', '0', '--mtp').toThrow(/too old for --mtp.*b9180/)
    await world.addLlamaServer('bin', '--spec-type none,draft-mtp')
    expect(await world.tried('--model', model, '--port', '0', '--mtp')).toBe(0)
    expect(world.log[0]).toMatchObject({ mtp: true })
  })
})
