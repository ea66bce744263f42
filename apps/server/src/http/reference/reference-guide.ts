import { errorCatalogue, errorCodes, limits } from '@atrium/contract'
import { errorGuide } from '@atrium/contract/reference'

/** What the OpenAPI document does not say, as Markdown. `{origin}` becomes the address the page was loaded from. */
export const referenceGuide = (): string =>
  [
    'For programs: [the OpenAPI 3.1 document](/api/openapi.json), and [the AsyncAPI 3.0 document](/api/asyncapi.json) of the sockets.',
    section('The life of a participant', lifeOfAParticipant),
    section('Conventions', conventions),
    section('Errors', errors()),
    section('Limits', limitRows()),
  ].join('\n\n')

const section = (title: string, text: string) =>
  `<details><summary>${title}</summary>\n\n${text}\n\n</details>`

const lifeOfAParticipant = `Five calls, from the first token to the history. You can paste them into a terminal one by
one.

    BASE={origin}

**Get an ID token.** In production it comes from your identity provider; in development the server issues one to anyone.
Save it as \`ID_TOKEN\`.

    curl -s $BASE/dev/identity/token \\
      -H 'Content-Type: application/json' \\
      -d '{"sub":"user-1","name":"Ada"}'

**Join an experiment** that is recruiting. This call needs the token. Its response contains the experiment and the
\`sessionId\` that the next calls send. Joining again resumes the participation.

    curl -s $BASE/api/v4/participant/join \\
      -H "Authorization: Bearer $ID_TOKEN" \\
      -H 'Content-Type: application/json' \\
      -d '{"experimentId":"'$EXPERIMENT_ID'","role":"participant"}'

**Record events** in batches of up to ${limits.eventsPerBatch}. A successful response means that the whole batch is
stored durably; with an \`Idempotency-Key\`, it is safe to retry.

    curl -s $BASE/api/v4/participant/events \\
      -H "X-Session-Id: $SESSION_ID" \\
      -H 'Idempotency-Key: batch-1' \\
      -H 'Content-Type: application/json' \\
      -d '{"events":[{"type":"component_response","componentId":"trust_rating",
           "timestamp":1772443800000,"data":{"value":4,"responseTime":840}}]}'

**Complete.** The session ends, and the response contains the completion code and, if the experiment has one, the
address to send the participant to.

    curl -s $BASE/api/v4/participant/complete \\
      -H "X-Session-Id: $SESSION_ID" \\
      -H 'Content-Type: application/json' \\
      -d '{"completionCode":"SUCCESS","summary":{"totalEvents":1,"duration":60000}}'

**Read the history.** Participants can list their own sessions, newest first. This call needs the ID token again.

    curl -s $BASE/api/v4/participant/history \\
      -H "Authorization: Bearer $ID_TOKEN"`

const conventions = `Bodies are JSON (\`Content-Type: application/json\`). The participant API responds with
\`{"status":"success","data":…}\`, or with \`{"status":"error","error":{"code","message","details"}}\` if it refuses a
request. All other routes respond with the object shown, or with \`{"error","code","details"}\`.

Every response has the header \`X-Request-Id\`. Responses of the participant API, including errors, have the headers
\`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\` (the Unix time in seconds at which the window
ends). On responses with status 429 or 503, \`Retry-After\` says how many seconds to wait.

Keep the session id only in memory, and send it only over HTTPS. You may also send the session token as
\`X-Session-Token\`; if you do, it must be valid.`

const table = (head: string[], rows: string[][]) =>
  [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n')

const errors = () =>
  `Every refused request gets one of these codes. The message may be more specific than the sentence given here; programs should check the code.\n\n${table(
    ['Code', 'Status', 'Meaning and what to do'],
    errorCodes.map((code) => {
      const { status, sentence } = errorCatalogue[code]
      const { action, details } = errorGuide[code]
      return [
        `\`${code}\``,
        String(status),
        [sentence, action, details && `Details: ${details}.`].filter(Boolean).join(' '),
      ]
    }),
  )}`

const researcherWork: Record<string, string> = {
  read: 'reading',
  write: 'changing',
  check: 'saving definitions and dry runs',
  export: 'exports',
}

const count = (value: number) => value.toLocaleString('en')
const perWindow = (requests: number) => `${count(requests)} requests in ${limits.rateWindowSeconds} seconds`
/** `groupSize` becomes `group size`. */
const inWords = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

const limitRows = () =>
  `Requests to discover, events and complete are counted per session, those to join and history per person, and those of researchers per researcher. In v3, all requests are counted per person.\n\n${table(
    ['What', 'Limit'],
    [
      ...Object.entries(limits.requestsPerWindow).map(([endpoint, requests]) => [
        `Participant API, ${endpoint}`,
        perWindow(requests),
      ]),
      ...Object.entries(limits.researcherRequestsPerWindow).map(([work, requests]) => [
        `Researcher API, ${researcherWork[work] ?? work}`,
        perWindow(requests),
      ]),
      ['Guests from one address', perWindow(limits.requestsPerAddressPerWindow.guest)],
      [
        'Guests from one address who give an id that joined on another device',
        perWindow(limits.guestClaimsPerAddressPerWindow),
      ],
      [
        'Failed authentications from one address',
        `${count(limits.failedAuthenticationsPerWindow)} in ${limits.rateWindowSeconds} seconds`,
      ],
      ['Lifetime of a session', `${limits.sessionLifetimeMs / 3_600_000} hours after joining`],
      ['Request body', `${count(limits.bodyBytes)} bytes`],
      ['Events in a batch', count(limits.eventsPerBatch)],
      ['Join metadata', `${count(limits.metadataBytes)} bytes`],
      ['JSON nesting', `${count(limits.jsonDepth)} levels`],
      ...Object.entries(limits.definition).map(([what, max]) => [
        `Experiment definition, ${inWords(what)}`,
        count(max),
      ]),
      ['Rooms on an instance', `${count(limits.roomsPerPod)} unless configured otherwise`],
      ['Participants on an instance', `${count(limits.participantsPerPod)} unless configured otherwise`],
      ['Socket connections on an instance', count(limits.socketsPerInstance)],
      ['Socket message', `${count(limits.socketMessageBytes)} bytes`],
      ['Bytes from one participant over sockets', `${count(limits.socketBytesPerMinute)} in 60 seconds`],
    ],
  )}`
