// Loaded before a program: says on standard error which modules of OpenTelemetry the program loads. In a test run
// programs are bundles, in which they are in the chunk of the file that imports them.
import { registerHooks } from 'node:module'

registerHooks({
  load(url, context, next) {
    if (/opentelemetry|\/otlp[-.]/.test(url)) process.stderr.write(`loaded ${url}\n`)
    return next(url, context)
  },
})
