<?php
declare(strict_types=1);

namespace Kobo;

/** Events as they arrive at the merchant's server. */
final class Events
{
    private const TOLERANCE_SECONDS = 300;
    /** The gateway signs with two keys at the most. */
    private const SIGNATURES_MAX = 5;

    /**
     * The event in a request, once its signature has been checked. Give it the body as it arrived (`php://input`), before
     * anything has parsed it, and the headers by their names in lower case.
     *
     * @param array<string, string> $headers
     * @param string|list<string> $secretKey the merchant's; while it is being replaced, the old one and the new one
     * @return array{eventType: string, eventData: array<string, mixed>}
     */
    public static function verify(string $body, array $headers, string|array $secretKey, ?int $now = null): array
    {
        $id = $headers['webhook-id'] ?? '';
        $timestamp = $headers['webhook-timestamp'] ?? '';
        $given = array_slice(explode(' ', $headers['webhook-signature'] ?? ''), 0, self::SIGNATURES_MAX);
        if ($id === '' || preg_match('/^\d{1,12}$/', $timestamp) !== 1)
            throw new NotGenuine('The headers webhook-id, webhook-timestamp and webhook-signature are missing or malformed');
        // What somebody recorded is not taken again later.
        if (abs(($now ?? time()) - (int) $timestamp) > self::TOLERANCE_SECONDS)
            throw new NotGenuine('The signature was made more than ' . self::TOLERANCE_SECONDS . ' seconds from now');
        $isGenuine = false;
        foreach ((array) $secretKey as $secret) {
            $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $secret, true));
            foreach ($given as $signature) $isGenuine = hash_equals($expected, $signature) || $isGenuine;
        }
        if (!$isGenuine) throw new NotGenuine('The signature is not that of the gateway');
        return json_decode($body, true, 64, JSON_THROW_ON_ERROR);
    }

    /**
     * The headers of the request that PHP is answering.
     *
     * @return array<string, string>
     */
    public static function headers(): array
    {
        $headers = [];
        foreach ($_SERVER as $name => $value)
            if (str_starts_with($name, 'HTTP_')) $headers[strtolower(str_replace('_', '-', substr($name, 5)))] = $value;
        return $headers;
    }
}
