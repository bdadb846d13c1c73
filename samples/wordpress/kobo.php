<?php
/**
 * Plugin Name: Kobo
 * Description: Points the Monnify plugins of this site to a Kobo gateway.
 *
 * Copy this file to wp-content/mu-plugins/ and add to wp-config.php:
 *
 *   define('KOBO_URL', 'https://pay.example.com');       // your gateway
 *   define('KOBO_WEBHOOK_IPS', ['203.0.113.7']);         // where its webhooks come from
 */

if (!defined('KOBO_URL')) {
    return;
}

/** The hosts that Monnify's plugins call, in test and in live mode. */
const KOBO_REPLACED_HOSTS = [
    'sdk.monnify.com',
    'sandbox.sdk.monnify.com',
    'api.monnify.com',
    'sandbox.monnify.com',
    'app.monnify.com',
];

/** The address that Monnify's plugins accept webhooks from. */
const KOBO_EXPECTED_WEBHOOK_IP = '35.242.133.146';

/** Replaces a URL of Monnify with the gateway's; returns any other URL unchanged. */
function kobo_url($url)
{
    $parts = is_string($url) ? parse_url($url) : false;
    if (!is_array($parts) || !in_array($parts['host'] ?? '', KOBO_REPLACED_HOSTS, true)) {
        return $url;
    }
    $query = isset($parts['query']) ? '?' . $parts['query'] : '';
    return rtrim(KOBO_URL, '/') . ($parts['path'] ?? '/') . $query;
}

/** Sends a request of a plugin to the gateway. */
function kobo_http_request($response, $arguments, $url)
{
    $gateway_url = kobo_url($url);
    return $gateway_url === $url ? $response : wp_remote_request($gateway_url, $arguments);
}

/** Lets a webhook from the gateway pass the plugins' IP address check. The plugins still check its signature. */
function kobo_webhook_source()
{
    $ips = defined('KOBO_WEBHOOK_IPS') ? KOBO_WEBHOOK_IPS : [];
    $is_signed = isset($_SERVER['HTTP_MONNIFY_SIGNATURE']);
    if ($is_signed && in_array($_SERVER['REMOTE_ADDR'] ?? '', $ips, true)) {
        $_SERVER['REMOTE_ADDR'] = KOBO_EXPECTED_WEBHOOK_IP;
    }
}

add_filter('script_loader_src', 'kobo_url');
add_filter('pre_http_request', 'kobo_http_request', 10, 3);
kobo_webhook_source();
