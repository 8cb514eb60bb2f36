/// Names of SDWebImage: its options and context keys as of 5.21, and what articles about 3.x and 4.x tell of.
enum PeerNames {
    static let options = [
        "RetryFailed", "LowPriority", "ProgressiveLoad", "RefreshCached", "ContinueInBackground", "HandleCookies",
        "AllowInvalidSSLCertificates", "HighPriority", "DelayPlaceholder", "TransformAnimatedImage",
        "AvoidAutoSetImage",
        "ScaleDownLargeImages", "QueryMemoryData", "QueryMemoryDataSync", "QueryDiskDataSync", "FromCacheOnly",
        "FromLoaderOnly", "ForceTransition", "AvoidDecodeImage", "DecodeFirstFrameOnly", "PreloadAllFrames",
        "MatchAnimatedImageClass", "WaitStoreCache", "TransformVectorImage", "AvoidAutoCancelImage", "WaitTransition",
    ].map { "SDWebImage\($0)" }

    static let contextKeys = [
        "SetImageOperationKey", "CustomManager", "CallbackQueue", "ImageCache", "ImageLoader", "ImageCoder",
        "ImageTransformer", "ImageForceDecodePolicy", "ImageDecodeOptions", "ImageScaleFactor",
        "ImagePreserveAspectRatio", "ImageThumbnailPixelSize", "ImageTypeIdentifierHint", "ImageScaleDownLimitBytes",
        "ImageDecodeToHDR", "ImageEncodeOptions", "QueryCacheType", "StoreCacheType", "OriginalQueryCacheType",
        "OriginalStoreCacheType", "OriginalImageCache", "AnimatedImageClass", "DownloadRequestModifier",
        "DownloadResponseModifier", "DownloadDecryptor", "CacheKeyFilter", "CacheSerializer", "LoaderCachedImage",
    ].map { "SDWebImageContext\($0)" }

    static let classes = [
        "UIButton+WebCache", "MKAnnotationView+WebCache", "UIImageView+WebCache", "UIImageView+HighlightedWebCache",
        "FLAnimatedImageView+WebCache", "UIView+WebCache", "UIView+WebCacheOperation", "NSData+ImageContentType",
        "UIImage+GIF", "UIImage+MultiFormat", "UIImage+WebP", "SDWebImageCompat", "SDImageCacheConfig",
        "SDWebImageDecoder", "SDImageCache", "SDWebImageManager", "SDWebImageDownloader",
        "SDWebImageDownloaderOperation", "SDWebImageCombinedOperation", "SDWebImageOperation", "FLAnimatedImage",
        "FLAnimatedImageView", "SDImageCacheType", "SDImageCacheTypeNone", "SDImageCacheTypeDisk", "SDImageFormat",
        "SDImageFormatGIF", "SDWebImageErrorDomain", "AutoPurgeCache", "CADisplayLink", "CVDisplayLink", "NSTimer",
        "CustomCircleView", "SDSetImageBlock", "SDExternalCompletionBlock", "SDWebImageCompletionBlock",
        "SDWebImageDownloaderProgressBlock", "SDWebImageDownloaderCompletedBlock", "SDOperationsDictionary",
    ]

    static let members = [
        // The manager.
        "sharedManager", "loadImageWithURL", "downloadImageWithURL", "failedURLs", "runningOperations", "imageCache",
        "imageLoader", "cancelAll", "cancel",
        // The cache.
        "shouldDecompressImages", "shouldDisableiCloud", "shouldCacheImagesInMemory", "maxCacheAge", "maxDiskSize",
        "ioQueue", "memCache", "SDCacheCostForImage", "diskImageForKey",
        // The downloader.
        "downloadQueue", "URLCallbacks", "callbacksForURL", "barrierQueue", "downloadTimeout", "executionOrder",
        "SDWebImageDownloaderLIFOExecutionOrder", "lastAddedOperation", "start", "cancelInternalAndStop",
        "beginBackgroundTaskWithExpirationHandler", "dispatch_main_sync_safe", "dispatch_main_async_safe",
        "sd_imageFormatForImageData",
        // Views.
        "sd_setImageWithURL", "sd_internalSetImageWithURL", "sd_setImage", "sd_setNeedsLayout", "imageURLKey",
        "sd_cancelCurrentImageLoad", "UIImageViewImageLoad", "sd_setImageLoadOperation",
        "sd_cancelImageLoadOperationWithKey", "sd_removeImageLoadOperationWithKey", "operationDictionary",
        "loadOperationKey", "activityIndicator", "sd_showActivityIndicatorView", "sd_setShowActivityIndicatorView",
        "sd_addActivityIndicator", "sd_removeActivityIndicator", "sd_setIndicatorStyle", "sd_getIndicatorStyle",
        "showActivityIndicatorView", "addActivityIndicator", "removeActivityIndicator",
        // Animated images.
        "animatedImageWithGIFData", "animatedImage", "setAnimatedImage", "posterImage", "loopCount", "loopCountdown",
        "loopCompletionBlock", "currentFrame", "currentFrameIndex", "runLoopMode", "accumulator", "startAnimating",
        "stopAnimating", "isAnimating", "shouldAnimate", "updateShouldAnimate", "intrinsicContentSize",
        "invalidateIntrinsicContentSize", "displayDidRefresh", "weakProxy",
        // Display link and ring.
        "displayLinkWithTarget", "addToRunLoop", "timestamp", "duration", "frameInterval", "paused", "invalidate",
        "tolerance", "EasyIn", "EasyOut", "rate", "setRate", "startAnimation", "drawCircle", "rateLbl", "LineWidth",
        "rWidth", "_startAngle", "_startRate", "shapeLayer", "bPath",
    ]
}
