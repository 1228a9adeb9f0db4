// The document and the report are only shown: as text, and in a frame without rights.
"use strict";

(() => {
  const limit = 64 << 20; // bytes of a document
  const shown = 200000; // characters of the rewritten document
  const part = (id) => document.getElementById(id);
  let file = null;
  let busy = false;
  let address = "";

  const program = (async () => {
    const packed = Uint8Array.from(atob(part("program").textContent), (c) => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return WebAssembly.compile(await new Response(stream).arrayBuffer());
  })();

  // read runs the program once. It has no state, so a document cannot change the result of another one.
  async function read(name, bytes) {
    if (bytes.length > limit) throw new Error("the document is longer than 64 MiB; use the command absolink");
    globalThis.absolinkInput = { name, bytes, url: part("url").value.trim(), type: part("type").value, program: part("name").textContent };
    globalThis.absolinkOutput = null;
    const go = new Go();
    await go.run(await WebAssembly.instantiate(await program, go.importObject));
    const output = globalThis.absolinkOutput;
    if (!output) throw new Error("the program stopped; the document may need too much memory");
    if (output.error) throw new Error(output.error);
    return output;
  }

  function show(name, output) {
    part("report").srcdoc = output.page;
    const text = new TextDecoder().decode(output.rewritten);
    part("output").textContent = text.slice(0, shown);
    part("cut").textContent = text.length > shown ? "The page shows the beginning." : "";
    URL.revokeObjectURL(address);
    address = URL.createObjectURL(new Blob([output.rewritten], { type: "application/octet-stream" }));
    part("download").href = address;
    part("download").download = name;
    part("rewritten").textContent = output.changed ? "Document with absolute links" : "Document, without a change";
    const status = [`Links: ${output.links}. Changed links and bases: ${output.changed}.`];
    if (output.unresolved) status.push(`Relative links without a base: ${output.unresolved}.`);
    if (output.unresolved && !part("url").value) {
      status.push("Enter the URL of the document to make them absolute.");
      part("url").focus();
    }
    part("status").textContent = status.join(" ");
    part("result").hidden = false;
  }

  async function run() {
    if (busy) return;
    busy = true;
    part("result").hidden = true;
    part("status").textContent = "Reading the document …";
    await new Promise((resolve) => setTimeout(resolve)); // the browser draws the text
    try {
      const name = file ? file.name : "document";
      show(name, await read(name, file ? new Uint8Array(await file.arrayBuffer()) : new TextEncoder().encode(part("text").value)));
    } catch (error) {
      part("status").textContent = `Not read: ${error.message.replace("not read: ", "")}`;
    }
    busy = false;
  }

  function open(chosen) {
    file = chosen;
    part("text").value = "";
    run();
  }

  part("form").addEventListener("submit", (event) => {
    event.preventDefault();
    run();
  });
  part("text").addEventListener("input", () => {
    file = null;
    part("file").value = "";
  });
  part("file").addEventListener("change", () => {
    if (part("file").files[0]) open(part("file").files[0]);
  });
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    if (!event.dataTransfer.files[0]) return;
    event.preventDefault();
    open(event.dataTransfer.files[0]);
  });
})();
