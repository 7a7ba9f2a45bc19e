// floor.ts in Node, with its fastest HTTP client.
import { Buffer } from "node:buffer";
import { request } from "node:http";
import process from "node:process";
const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const post = request(
  process.argv[2],
  { method: "POST", headers: { "content-type": "application/json" } },
  async (answer) => {
    let text = "";
    for await (const chunk of answer) text += chunk;
    process.stdout.write(JSON.parse(text).inject);
  },
);
post.end(Buffer.concat(chunks));
