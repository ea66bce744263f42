// Downloads a file as the tool does, in a process that tests can kill or limit: <url> <cache folder>
import { download } from '../download.ts'

const [url = '', cacheFolder = ''] = process.argv.slice(2)
const path = await download({
  url,
  cacheFolder,
  path: 'model.gguf',
  what: 'the model',
  signal: new AbortController().signal,
  say: (text) => console.log(text),
  onProgress: ({ receivedBytes }) => console.log(`${receivedBytes} bytes`),
  limits: { pauseMs: 0, fruitlessAttempts: 3 },
}).catch((error: Error) => error.message)
console.log(`ended with ${path}`)
