<?php
declare(strict_types=1);

namespace Kobo;

/**
 * Everything that the gateway offers, called with a merchant's keys: `$kobo->transactions->init([...])`. The groups and names
 * are those of the SDK for JavaScript. Nothing is sent before the first call.
 */
final class Client
{
    private const LOOPBACK = '/^(localhost|127(\.\d+){3}|\[::1\])$/';
    /** A token is renewed before it ends. */
    private const RENEWED_SHARE = 0.8;
    private const TOKEN_REFUSALS = ['EXPIRED_TOKEN', 'INVALID_TOKEN'];
    /** What a gateway says when it has done nothing. */
    private const NOTHING_DONE = [429, 503];
    /** What a gateway, or what stands before it, says when nobody knows what was done. */
    private const PERHAPS_DONE = [500, 502, 504];
    private const WAIT_SECONDS_MAX = 30;

    private readonly string $baseUrl;
    /** @var array<string, array<string, array<string, mixed>>> */
    private readonly array $endpoints;
    private ?string $token = null;
    private float $tokenUntil = 0;

    /** @param bool $allowHttp whether keys may travel in clear over http to another machine */
    public function __construct(
        string $baseUrl,
        private readonly string $apiKey,
        #[\SensitiveParameter] private readonly string $secretKey,
        private readonly int $timeoutSeconds = 40,
        private readonly int $attemptsMax = 3,
        bool $allowHttp = false,
    ) {
        $url = parse_url($baseUrl);
        $isLocal = preg_match(self::LOOPBACK, $url['host'] ?? '') === 1;
        if (($url['scheme'] ?? '') !== 'https' && !(($url['scheme'] ?? '') === 'http' && ($allowHttp || $isLocal)))
            throw new \InvalidArgumentException('baseUrl must be an https address, since keys go there; allowHttp: true allows http');
        if ($apiKey === '' || $secretKey === '') throw new \InvalidArgumentException('apiKey or secretKey is missing');
        $this->baseUrl = rtrim($baseUrl, '/');
        $this->endpoints = require __DIR__ . '/endpoints.php';
    }

    /** The calls of a group. */
    public function __get(string $group): Group
    {
        if (!isset($this->endpoints[$group])) throw new \BadMethodCallException("There is no $group");
        return new Group($this, $group, $this->endpoints[$group]);
    }

    /**
     * Sends a request until there is an answer to keep, or until sending it again would be wrong.
     *
     * @param array<string, mixed> $endpoint
     * @param array<string, mixed> $fields
     */
    public function perform(array $endpoint, array $fields, ?string $idempotencyKey = null): mixed
    {
        if ($endpoint['isRepeatable']) $idempotencyKey ??= bin2hex(random_bytes(16));
        [$url, $body] = $this->addressed($endpoint, $fields);
        $headers = ['Accept: application/json'];
        if ($body !== null) $headers[] = 'Content-Type: application/json';
        if ($endpoint['isRepeatable']) $headers[] = "Idempotency-Key: $idempotencyKey";
        $isHarmless = $endpoint['method'] === 'GET' || $endpoint['access'] === 'keys' || $endpoint['isRepeatable'];
        for ($attempt = 1; ; $attempt++) {
            $answer = $this->sendWithToken($endpoint, $url, $headers, $body);
            $isPassing = $answer->status === null || in_array($answer->status, [...self::NOTHING_DONE, ...self::PERHAPS_DONE], true);
            $hasDoneNothing = $answer->envelope !== null && in_array($answer->status, self::NOTHING_DONE, true);
            if ($attempt >= $this->attemptsMax || !$isPassing || !($hasDoneNothing || $isHarmless)) break;
            // Those who failed together shall not come back together.
            $own = 0.25 * 2 ** ($attempt - 1) * (0.5 + random_int(0, 1000) / 1000);
            usleep((int) (min(max($own, (float) ($answer->headers['retry-after'] ?? 0)), self::WAIT_SECONDS_MAX) * 1e6));
        }
        return $answer->concluded($endpoint['isRepeatable'] ? $idempotencyKey : null);
    }

    /**
     * The fields where they belong: in the path, in the query or in the body.
     *
     * @return array{string, ?string}
     */
    private function addressed(array $endpoint, array $fields): array
    {
        $fields = array_filter($fields, static fn ($value) => $value !== null);
        $path = preg_replace_callback('/:(\w+)/', static function (array $found) use (&$fields): string {
            $value = (string) ($fields[$found[1]] ?? '');
            if ($value === '') throw new \InvalidArgumentException("$found[1] is missing");
            unset($fields[$found[1]]);
            return rawurlencode($value);
        }, $endpoint['path']);
        if ($endpoint['hasBody']) {
            $content = isset($endpoint['bodyKey']) ? ($fields[$endpoint['bodyKey']] ?? []) : (object) $fields;
            return [$this->baseUrl . $path, json_encode($content, JSON_THROW_ON_ERROR | JSON_PRESERVE_ZERO_FRACTION)];
        }
        $texts = array_map(static fn ($value) => is_bool($value) ? ($value ? 'true' : 'false') : $value, $fields);
        return [$this->baseUrl . $path . ($texts === [] ? '' : '?' . http_build_query($texts)), null];
    }

    /** Sends a request once, and once more with a new token where the gateway no longer takes the one that was sent. */
    private function sendWithToken(array $endpoint, string $url, array $headers, ?string $body): Answer
    {
        $send = fn (?string $authorization): Answer => Answer::to(
            $endpoint['method'],
            $url,
            $authorization === null ? $headers : [...$headers, "Authorization: $authorization"],
            $body,
            $this->timeoutSeconds,
        );
        if ($endpoint['access'] === 'keys') return $send('Basic ' . base64_encode("$this->apiKey:$this->secretKey"));
        if ($endpoint['access'] === 'open') return $send(null);
        $answer = $send('Bearer ' . $this->currentToken());
        if (!in_array($answer->headers['kobo-refusal'] ?? null, self::TOKEN_REFUSALS, true)) return $answer;
        $this->token = null;
        return $send('Bearer ' . $this->currentToken());
    }

    private function currentToken(): string
    {
        if ($this->token === null || hrtime(true) / 1e9 >= $this->tokenUntil) {
            $asked = hrtime(true) / 1e9;
            $login = $this->perform($this->endpoints['authentication']['login'], []);
            $this->token = $login['accessToken'];
            $this->tokenUntil = $asked + $login['expiresIn'] * self::RENEWED_SHARE;
        }
        return $this->token;
    }
}

/** The calls of a group: `init`, `get`, `search` … */
final class Group
{
    private const PAGES_MAX = 1_000_000;

    /** @param array<string, array<string, mixed>> $endpoints */
    public function __construct(
        private readonly Client $client,
        private readonly string $name,
        private readonly array $endpoints,
    ) {
    }

    /** @param array{0?: array<string, mixed>, 1?: string} $arguments the fields, and an Idempotency-Key where one is wanted */
    public function __call(string $name, array $arguments): mixed
    {
        return $this->client->perform($this->endpoint($name), $arguments[0] ?? [], $arguments[1] ?? null);
    }

    /** What comes in pages, one after the other: `foreach ($kobo->transactions->each('search', [...]) as $payment)`. */
    public function each(string $name, array $fields = []): \Generator
    {
        $endpoint = $this->endpoint($name);
        $pageKey = $endpoint['pageKey'] ?? throw new \BadMethodCallException("$this->name.$name does not come in pages");
        $first = (int) ($fields[$pageKey] ?? 0);
        for ($page = $first; $page < $first + self::PAGES_MAX; $page++) {
            $answer = $this->client->perform($endpoint, [...$fields, $pageKey => $page]);
            foreach ($answer['content'] as $record) yield $record;
            if ($answer['last'] || $answer['content'] === []) return;
        }
    }

    private function endpoint(string $name): array
    {
        return $this->endpoints[$name] ?? throw new \BadMethodCallException("There is no $this->name.$name");
    }
}
