// Package rpc serves the operations of a host over a unix socket, and gives clients a host that is far away as the
// same api.Service.
//
//	client                     socket                  host
//	┌────────┐  Call   ┌──────┐ frames ┌──────┐ request ┌───────────┐
//	│ Client │ ──────▶ │ link │ ─────▶ │ conn │ ──────▶ │  service  │
//	│        │ ◀────── │      │ ◀───── │      │ ◀────── │           │
//	└────────┘  answer └──────┘        │      │ ◀────── │  streams  │
//	┌────────┐  Next   ┌──────┐ frames │      │  Next   └───────────┘
//	│ Stream │ ◀────── │ wire │ ◀───── │ conn │
//	└────────┘         └──────┘        └──────┘
//
// # The wire
//
// JSON-RPC 2.0, one object per line. A method is a row of api.Ops; its parameters are the input, by name, and nothing
// else: an unknown, repeated or wrongly cased key is refused, with the nearest one that is known. Requests of one
// connection are carried out at the same time and answered as they are done, so an answer is known by its id alone. A
// batch is refused: on a connection that stays, requests that are sent one after another do the same, and their answers
// need not wait for each other.
//
//	{"jsonrpc":"2.0","id":1,"method":"process.stop","params":{"id":"api"}}
//	{"jsonrpc":"2.0","id":1,"result":{"ok":true,…}}
//	{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"…","data":{"reason":"not_found"}}}
//
// Without an id a request is carried out and not answered. {"method":"$/cancel","params":{"id":1}} says that nobody
// waits for an answer any more; it is answered nevertheless, with what came of it or code -32800. So does the end of a
// connection for all that was asked on it. What becomes of a change that is under way is the operation's affair: see
// api.Service.
//
// A row of api.Streams is answered with {"subscription":N}. Its events follow as notifications, and last an end:
//
//	{"jsonrpc":"2.0","method":"events.event","params":{"subscription":3,"event":{…}}}
//	{"jsonrpc":"2.0","method":"events.end","params":{"subscription":3}}
//
// The method events.unsubscribe, with the same parameter, ends it earlier. For logs.subscribe it is logs.chunk, logs.end,
// logs.unsubscribe.
//
// # Versions
//
// A client introduces itself by host.info. Host and client of different protocols keep to what anyProtocol lists: enough
// to see what runs, and to stop it. There, keys that are not known are passed over.
//
// # Limits
//
// What a client can do harms itself. Of one connection a bounded number of requests is carried out at a time, its
// frames are bounded in length and time, and what it does not read waits in a queue that is bounded. When the queue is
// full its streams are not asked for more, which costs nobody anything (what a stream does then is told in
// api.Stream); a client that asks and does not read the answers is cut off. Connections are bounded in number: of those
// that ask nothing the longest idle one has to go, and of these first one that never asked anything. The numbers are in limits.go.
//
// Order: a stream's events keep theirs, and come after the answer to its subscription. Loss: none, as long as the
// connection lasts; a client whose connection broke does not know whether its last request was carried out.
package rpc
