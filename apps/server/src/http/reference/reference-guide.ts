import { errorCatalogue, errorCodes, errorGuide, limits } from '@atrium/contract'

/** What the API document does not say, as Markdown. `{origin}` becomes the address that the page was loaded from. */
export const referenceGuide = (): string =>
  [
    'The same for programs: [OpenAPI 3.1](/api/openapi.json).',
    section('The life of a participant', lifeOfAParticipant),
    section('Conventions', conventions),
    section('Errors', errors()),
    section('Limits', limitRows()),
  ].join('\n\n')

const section = (title: string, text: string) =>
  `<details><summary>${title}</summary>\n\n${text}\n\n</details>`

const lifeOfAParticipant = `Five calls, from the first token to the history. You can paste them into a terminal, one after the other.

    BASE={origin}

**Get an ID token.** In production it comes from your identity provider; in development the server issues one for anyone.
Keep it as \`ID_TOKEN\`.

    curl -s $BASE/dev/identity/token \\
      -H 'Content-Type: application/json' \\
      -d '{"sub":"user-1","name":"Ada"}'

**Join an experiment** that is recruiting. Only this call needs the token: its answer has the experiment and the
\`sessionId\` that the next calls carry. Joining again resumes.

    curl -s $BASE/api/v4/participant/join \\
      -H "Authorization: Bearer $ID_TOKEN" \\
      -H 'Content-Type: application/json' \\
      -d '{"experimentId":"'$EXPERIMENT_ID'","role":"participant"}'

**Record events** in batches of up to ${limits.eventsPerBatch}. An answer means that the whole batch is stored durably;
with an \`Idempotency-Key\` a retry is safe.

    curl -s $BASE/api/v4/participant/events \\
      -H "X-Session-Id: $SESSION_ID" \\
      -H 'Idempotency-Key: batch-1' \\
      -H 'Content-Type: application/json' \\
      -d '{"events":[{"type":"component_response","componentId":"trust_rating",
           "timestamp":1772443800000,"data":{"value":4,"responseTime":840}}]}'

**Complete.** The session ends, and the participant receives the completion code, and the address to go to if the
experiment has one.

    curl -s $BASE/api/v4/participant/complete \\
      -H "X-Session-Id: $SESSION_ID" \\
      -H 'Content-Type: application/json' \\
      -d '{"completionCode":"SUCCESS","summary":{"totalEvents":1,"duration":60000}}'

**Look back.** People can list their own sessions, newest first.

    curl -s $BASE/api/v4/participant/history \\
      -H "Authorization: Bearer $ID_TOKEN"`

const conventions = `Bodies are JSON (\`Content-Type: application/json\`). The participant API answers
\`{"status":"success","data":…}\` and refuses with \`{"status":"error","error":{"code","message","details"}}\`. Every other
address answers with the object shown, and refuses with \`{"error","code","details"}\`.

Every answer carries \`X-Request-Id\`. Answers of the participant API, errors included, carry \`X-RateLimit-Limit\`,
\`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\` (the Unix second at which the window ends). Answers 429 and 503 say in
\`Retry-After\` how many seconds to wait.

Keep the session id in memory only, and send it over HTTPS only. \`X-Session-Token\` may carry the session token as well;
if it is sent, it must be right.`

const table = (head: string[], rows: string[][]) =>
  [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n')

const errors = () =>
  `Every refusal has one of these codes. The message may be more exact than the sentence here; programs should read the code.\n\n${table(
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
  `Discover, events and complete are counted per session; join and history per person; a researcher’s requests per researcher. In v3 everything is counted per person.\n\n${table(
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
        'Guests from one address who name an id that joined from another device',
        perWindow(limits.guestClaimsPerAddressPerWindow),
      ],
      [
        'Failed authentications from one address',
        `${count(limits.failedAuthenticationsPerWindow)} in ${limits.rateWindowSeconds} seconds`,
      ],
      ['Lifetime of a session', `${limits.sessionLifetimeMs / 3_600_000} hours from join`],
      ['Request body', `${count(limits.bodyBytes)} bytes`],
      ['Events in a batch', count(limits.eventsPerBatch)],
      ['Metadata of a join', `${count(limits.metadataBytes)} bytes`],
      ['Nesting of JSON', `${count(limits.jsonDepth)} levels`],
      ...Object.entries(limits.definition).map(([what, most]) => [
        `Experiment definition, ${inWords(what)}`,
        count(most),
      ]),
      ['Rooms on an instance', `${count(limits.roomsPerPod)} unless configured otherwise`],
      ['Participants on an instance', `${count(limits.participantsPerPod)} unless configured otherwise`],
      ['Socket connections on an instance', count(limits.socketsPerInstance)],
      ['Message over a socket', `${count(limits.socketMessageBytes)} bytes`],
      ['Bytes of a participant over sockets', `${count(limits.socketBytesPerMinute)} in 60 seconds`],
    ],
  )}`
